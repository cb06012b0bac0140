// The process's log: console (stderr) and one file a day, kept for two weeks. Call sites use spdlog directly.
// Level: --log-level, else DESKTOPASSIST_LOG_LEVEL, else [log] level, else "info". The console shows warnings and up
// unless [log] console says another level.
#pragma once

#include <filesystem>
#include <string>

#include "lib/base/result.h"
#include "lib/service/config.h"

namespace da::service {

// Where its files lie: [log] directory, else in the state directory.
Result<std::filesystem::path> log_directory(const Config& config);

// flag_level is empty where the flag was not given.
Result<void> start_logging(const std::string& service, const Config& config, const std::string& flag_level);

}  // namespace da::service
