// Finds a recording by what a person gave. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "lib/base/result.h"

namespace da::console {

// Where embedded runs record.
std::filesystem::path recordings_directory();

// `given`: the path of a file; or, in that directory, the name of a file, the beginning of a task's id (at least four
// characters), or "last" for the newest recording.
Result<std::filesystem::path> find_recording(const std::string& given);

}  // namespace da::console
