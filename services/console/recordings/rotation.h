// Writes the facts of the bus into a recording, and after a size or time into the next one: FILE.mcap, FILE-2.mcap,
// FILE-3.mcap and so on. Never writes over an existing file. Errors are those of the file. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "lib/recording/recording_file.h"

namespace da::console {

class Rotation {
 public:
  struct Limits {
    std::uint64_t bytes = 0;  // Size of one file; 0: no limit.
    Milliseconds age{0};      // Age of one file; 0: no limit.
    std::uint32_t files = 0;  // Older ones of this run are deleted; 0: no limit.
  };

  static Result<Rotation> create(const std::filesystem::path& file, Limits limits, const Clock& clock);

  Result<void> add(const recording::RecordedFact& fact);
  Result<void> add(const v1::RecordingGap& gap);
  // Writes to the disk about each second. Call it at least as often.
  Result<void> sync_if_due();
  // `why` it ends.
  Result<void> finish(const std::string& why);

  // The files that exist, oldest first; the last one is being written.
  const std::deque<std::filesystem::path>& files() const { return files_; }
  std::uint64_t facts() const { return facts_; }
  std::uint64_t bytes() const { return bytes_ + file_->bytes_written(); }     // Also of deleted files.
  const std::map<std::string, std::uint64_t>& lost() const { return lost_; }  // Keyed by topic.

 private:
  Rotation(std::filesystem::path first, Limits limits, const Clock& clock)
      : first_(std::move(first)), limits_(limits), clock_(&clock) {}
  Result<void> open_next();
  Result<void> rotate_if_due();

  std::filesystem::path first_;
  Limits limits_;
  const Clock* clock_;
  std::unique_ptr<recording::RecordingFile> file_;
  std::deque<std::filesystem::path> files_;
  std::uint32_t number_ = 0;  // Number of the current file.
  MonoTime began_;
  MonoTime synced_;
  std::uint64_t facts_ = 0;
  std::uint64_t bytes_ = 0;  // Bytes of the earlier files.
  std::map<std::string, std::uint64_t> lost_;
};

}  // namespace da::console
