// Reads the story of a task from its recording. Any thread.
#pragma once

#include "lib/base/result.h"
#include "lib/recording/reading/recording_reader.h"
#include "services/console/report/task_story.h"

namespace da::console {

enum class StoryImages { kWithout, kWith };  // Whether TaskStory::images is filled.

// Keeps at most 64 MiB of facts; the rest is counted in left_out. Damage ends the story, and `problem` says so.
TaskStory read_story(const recording::RecordingReader& recording, StoryImages images);

// Checks and looks at an image file: PNG or JPEG, with its hash. nullopt if it is neither, or not the image it claims.
std::optional<StoryImage> look_at_image(const std::string& bytes, const std::string& hash);

// BLAKE2b-128, hexadecimal, as in ImageFact.
std::string image_hash_of(std::string_view bytes);

}  // namespace da::console
