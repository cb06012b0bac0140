// The process's log: stderr, and dated files of mode 0600 (log_file.h). Code logs with spdlog. Level: --log-level, else
// DESKTOPASSIST_LOG_LEVEL, else [log] level, else "info". Level of stderr: [log] console, else "warning"; both levels
// apply to stderr.
//
//   [log]
//   level = "debug"
//   console = "error"
//   directory = "logs"       of the dated files; default: in the state directory
//   file = "all.log"         one file instead, which several services may share
//   files = false            no log files
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "lib/base/result.h"
#include "lib/service/config.h"

namespace da::service {

// Where the log goes; both empty: only to stderr.
struct LogPlace {
  std::filesystem::path directory;
  std::filesystem::path file;
};
Result<LogPlace> log_place(const Config& config);
// Creates the directory or the file. kPermissionDenied: others may use it.
Result<void> make_log_place(const LogPlace& place);

// flag_level: empty if the flag was not given.
Result<void> start_logging(const std::string& service, const Config& config, const std::string& flag_level);

enum class LogLevel { kWarning, kError, kCritical };
using LogReader = std::function<void(LogLevel level, const std::string& text)>;
// Passes each later line of level warning and above to the reader, one at a time, on the thread that logs; empty: ends
// that. Lines that the reader logs are not passed. Any thread.
void read_log(LogReader reader);

}  // namespace da::service
