#include "lib/recording/recording_directory.h"

#include <algorithm>
#include <ctime>

namespace da::recording {
namespace {

constexpr std::string_view kExtension = ".mcap";
constexpr std::size_t kIdCharacters = 8;

}  // namespace

std::filesystem::path recording_path(const std::filesystem::path& directory, WallTime now, const std::string& id) {
  const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[40];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc);
  const std::string suffix = id.empty() ? "" : "-" + id.substr(0, kIdCharacters);
  return directory / (text + suffix + std::string(kExtension));
}

std::vector<std::filesystem::path> recordings_in(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() == kExtension && entry.is_regular_file(error)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::filesystem::path> delete_old(const std::filesystem::path& directory, const RecordingLimits& limits,
                                              const std::set<std::filesystem::path>& keep) {
  std::vector<std::filesystem::path> deleted;
  std::uint64_t bytes = 0;
  auto files = recordings_in(directory);
  std::ranges::reverse(files);
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const auto& file : files) {  // Newest first.
    std::error_code error;
    bytes += std::filesystem::file_size(file, error);
    if (error || keep.contains(file) || file == files.front()) continue;
    const auto age = now - std::filesystem::last_write_time(file, error);
    const bool too_many = bytes > limits.bytes && age > limits.young;
    if (!error && (age > limits.age || too_many) && std::filesystem::remove(file, error)) deleted.push_back(file);
  }
  return deleted;
}

}  // namespace da::recording
