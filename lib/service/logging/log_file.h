// Sinks of spdlog that write a log to files which only this user can read (mode 0600). Each line is one write at the
// file's end, so that the lines of several processes do not mix. Any thread. spdlog reports a failed write on stderr.
#pragma once

#include <spdlog/common.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "lib/base/result.h"

namespace da::service {

struct LogRotation {
  std::uint64_t file_bytes = 10 << 20;  // Approximate limit of one file: then the next file of the day begins.
  int days = 14;                        // Files of earlier days are deleted.
  int files = 30;                       // Limit for one service; the oldest are deleted.
};

// NAME_2026-11-26.log, then NAME_2026-11-26.2.log and so on, by the local date. Deletes old files of the name when it
// begins a file. The directory exists.
Result<spdlog::sink_ptr> dated_log_files(const std::filesystem::path& directory, const std::string& name,
                                         const LogRotation& rotation = {});

// One file that several services share. It is not rotated, because a confined service cannot create files beside it:
// when it has `max_bytes`, the log says so in a last line, and drops what follows.
inline constexpr std::uint64_t kMaxLogFileBytes = 256 << 20;
Result<spdlog::sink_ptr> single_log_file(const std::filesystem::path& file, std::uint64_t max_bytes = kMaxLogFileBytes);

// Call it before a run: renames a file of 10 MiB or more to FILE.1, FILE.1 to FILE.2 and so on, and keeps five. A link
// and a file of another user stay as they are.
Result<void> rotate_log_file(const std::filesystem::path& file);

}  // namespace da::service
