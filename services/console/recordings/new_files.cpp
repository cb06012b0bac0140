#include "services/console/recordings/new_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "lib/os/files/file_descriptors.h"

namespace da::console {
namespace {

constexpr std::size_t kLongestName = 100;

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

}  // namespace

std::string safe_file_name(std::string_view foreign) {
  std::string name;
  for (const char c : foreign.substr(0, kLongestName)) name += is_safe(c) ? c : '_';
  const std::size_t begin = name.find_first_not_of('.');
  name.erase(0, begin == std::string::npos ? name.size() : begin);
  return name.empty() ? "unnamed" : name;
}

Result<NewFiles> NewFiles::open(const std::filesystem::path& directory) {
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return posix_error("create the directory " + directory.string(), errno);
  }
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) {
    return Error{Code::kInvalidArgument, directory.string() + " is not a directory"};
  }
  return NewFiles(directory);
}

std::string NewFiles::unused(const std::filesystem::path& name) {
  std::string candidate = name.string();
  if (used_.insert(candidate).second) return candidate;
  int& number = last_number_.try_emplace(candidate, 1).first->second;
  do {
    candidate = name.stem().string() + "-" + std::to_string(++number) + name.extension().string();
  } while (!used_.insert(candidate).second);
  return candidate;
}

Result<std::filesystem::path> NewFiles::write(std::string_view foreign_name, std::string_view content) {
  const auto path = directory_ / unused(safe_file_name(foreign_name));
  const os::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file && errno == EEXIST) {
    return Error{Code::kAlreadyExists, path.string() + " exists; choose an empty or new directory"};
  }
  if (!file) return posix_error("create " + path.string(), errno);
  RETURN_IF_ERROR(os::write_all(file.get(), content, path));
  return path;
}

}  // namespace da::console
