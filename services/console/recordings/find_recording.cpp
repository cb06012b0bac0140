#include "services/console/recordings/find_recording.h"

#include <algorithm>
#include <vector>

#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/recording/recording_directory.h"

namespace da::console {
namespace {

constexpr std::size_t kShortestId = 4;
constexpr std::size_t kIdInName = 8;  // Characters of a task's id in the name of its recording.

}  // namespace

std::filesystem::path recordings_directory() { return os::state_directory() / "recorder" / "recordings"; }

Result<std::filesystem::path> find_recording(const std::string& given) {
  std::error_code ignored;
  if (std::filesystem::exists(given, ignored)) return std::filesystem::path(given);
  const Error none{Code::kNotFound, "there is no file and no recording " + quote_foreign(given) +
                                        "; `da-console recordings` lists those of embedded runs"};
  if (given.empty() || given.find('/') != std::string::npos) return none;
  auto files = recording::recordings_in(recordings_directory());
  if (given == "last" && !files.empty()) return files.back();
  const std::string id = "-" + given.substr(0, kIdInName);
  std::erase_if(files, [&](const auto& file) {
    const bool has_id = given.size() >= kShortestId && file.stem().string().find(id) != std::string::npos;
    return file.filename() != given && file.stem() != given && !has_id;
  });
  if (files.size() > 1) {
    return Error{Code::kInvalidArgument, quote_foreign(given) + " means " + std::to_string(files.size()) +
                                             " recordings, such as " + files.front().string() + "; give a file"};
  }
  return files.empty() ? Result<std::filesystem::path>(none) : files.front();
}

}  // namespace da::console
