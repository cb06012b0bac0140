// A profile's file, and the pictures in the folder templates/ beside it. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "lib/base/result.h"
#include "services/planner/rules/profile/profile_reader.h"

namespace da::planner::rules {

// The observer's limit (proto/da/v1/analysis.proto).
inline constexpr std::size_t kMaxTemplateBytes = 2 << 20;

// The content begins like that of a PNG or JPEG file.
bool is_picture(std::string_view content);

// Also checks that the files of all templates can be used. An error: the profile's file cannot be read.
Result<ReadProfile> load_profile(const std::filesystem::path& path, ReadOptions options = {});

Result<std::string> read_template_file(const std::filesystem::path& profile, const Template& image);

// The document as text, with the indentation that `like` has: keys that the profile does not know stay.
std::string profile_text(const Document& document, std::string_view like = {});

// Replaces the file at once, or not at all. kInvalidArgument: the document is not a valid profile.
Result<void> save_profile(const std::filesystem::path& path, const Document& document);

}  // namespace da::planner::rules
