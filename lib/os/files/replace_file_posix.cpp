#include "lib/os/files/replace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "lib/base/id.h"
#include "lib/os/files/file_descriptors.h"
#include "lib/os/files/files.h"

namespace da::os {
namespace {

constexpr mode_t kNewMode = 0666;  // The umask applies.
constexpr mode_t kModeBits = 0777;

// The file that the links lead to; `path` itself if it does not exist.
Result<std::filesystem::path> follow_links(const std::filesystem::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return path;
    return posix_error("look for " + path.string(), errno);
  }
  if (!S_ISLNK(info.st_mode)) return path;
  std::error_code error;
  auto target = std::filesystem::canonical(path, error);
  if (error) return Error{Code::kNotFound, "follow the link " + path.string() + ": " + error.message()};
  return target;
}

Result<void> write_new(const std::filesystem::path& beside, const struct stat* old, std::string_view content) {
  const mode_t mode = old != nullptr ? old->st_mode & kModeBits : kNewMode;
  const UniqueFd fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd) return posix_error("create " + beside.string(), errno);
  if (old != nullptr && ::fchmod(fd.get(), mode) != 0) return posix_error("set the mode of " + beside.string(), errno);
  RETURN_IF_ERROR(write_all(fd.get(), content, beside));
  if (::fsync(fd.get()) != 0) return posix_error("sync " + beside.string(), errno);
  return ok();
}

}  // namespace

Result<void> replace_file(const std::filesystem::path& path, std::string_view content) {
  ASSIGN_OR_RETURN(const auto target, follow_links(path));
  struct stat info {};
  const bool is_there = ::stat(target.c_str(), &info) == 0;
  if (is_there && !S_ISREG(info.st_mode)) return Error{Code::kInvalidArgument, path.string() + " is not a file"};
  // A rename would replace a file that its owner has made read-only.
  if (is_there && ::access(target.c_str(), W_OK) != 0) return posix_error("write " + path.string(), errno);
  const std::filesystem::path beside = target.string() + "." + random_hex(4);
  auto written = write_new(beside, is_there ? &info : nullptr, content);
  if (written && std::rename(beside.c_str(), target.c_str()) != 0) {
    written = posix_error("rename " + beside.string(), errno);
  }
  if (!written) {
    ::unlink(beside.c_str());
    return written;
  }
  return sync_directory(target.parent_path());
}

}  // namespace da::os
