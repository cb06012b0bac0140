// The directory of recordings: names, order and limits. A name begins with the UTC time, so that names sort by age:
// "20261125T015222Z-3f2a91c0.mcap". Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "lib/base/clock.h"

namespace da::recording {

// Path of a recording that begins now. Its name contains the first characters of `id`, the task's id; empty: none.
std::filesystem::path recording_path(const std::filesystem::path& directory, WallTime now, const std::string& id);

// Oldest first; empty if the directory cannot be read.
std::vector<std::filesystem::path> recordings_in(const std::filesystem::path& directory);

struct RecordingLimits {
  std::chrono::hours age{24 * 30};
  std::uint64_t bytes = 20ull << 30;  // Limit for all recordings together.
  // Younger ones are not deleted for their size: otherwise a planner that publishes much could erase what it did.
  std::chrono::hours young{24};
};
// Deletes the oldest recordings beyond the limits, but none of `keep`, and never the newest one. Returns the deleted
// ones.
std::vector<std::filesystem::path> delete_old(const std::filesystem::path& directory, const RecordingLimits& limits,
                                              const std::set<std::filesystem::path>& keep);

}  // namespace da::recording
