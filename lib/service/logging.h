// The process's log: stderr, and one file per day, kept for 14 days. Code logs with spdlog. Level: --log-level, else
// DESKTOPASSIST_LOG_LEVEL, else [log] level, else "info". Level of stderr: [log] console, else "warning".
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "lib/base/result.h"
#include "lib/service/config.h"

namespace da::service {

// [log] directory, else a directory in the state directory.
Result<std::filesystem::path> log_directory(const Config& config);

// flag_level: empty if the flag was not given.
Result<void> start_logging(const std::string& service, const Config& config, const std::string& flag_level);

enum class LogLevel { kWarning, kError, kCritical };
using LogReader = std::function<void(LogLevel level, const std::string& text)>;
// Passes each later line of level warning and above to the reader, one at a time, on the thread that logs; empty: ends
// that. Lines that the reader logs are not passed. Any thread.
void read_log(LogReader reader);

}  // namespace da::service
