#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "lib/base/text.h"
#include "lib/os/unique_fd.h"
#include "services/actuator/target/file_delete.h"

namespace da::actuator {
namespace {

Error aborted(const std::string& path, const char* what) {
  return {Code::kAborted, what + (" " + quote_foreign(path)) + ", so nothing was deleted"};
}

// Opens the directory without following links, so that a later exchange of a directory above it has no effect.
Result<os::UniqueFd> open_directory(const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  os::UniqueFd directory(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
  if (directory) return directory;
  if (errno == ELOOP || errno == ENOTDIR || errno == ENOENT) return aborted(path, "there is a link on the way to");
  return posix_error("open " + escape_foreign(path), errno);
}

// `info` comes from lstat, stat or fstatat of the file.
FileIdentity identify(const std::string& canonical_path, const struct stat& info) {
  return {canonical_path, static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
          std::int64_t{info.st_ctim.tv_sec} * 1'000'000'000 + info.st_ctim.tv_nsec,
          static_cast<std::uint64_t>(info.st_size)};
}

std::string show(const std::string& foreign) { return "\"" + escape_foreign(foreign, 80) + "\""; }

}  // namespace

Result<FileIdentity> identify_file(const std::string& path) {
  if (!path.starts_with('/')) {
    return Error{Code::kInvalidArgument, "file_delete needs an absolute path, not " + show(path)};
  }
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return posix_error("find " + show(path), errno);
  if (!S_ISREG(info.st_mode)) return Error{Code::kInvalidArgument, show(path) + " is not a plain file"};
  std::error_code error;
  const auto canonical = std::filesystem::canonical(path, error);
  if (error) return Error{Code::kNotFound, show(path) + ": " + error.message()};
  return identify(canonical.string(), info);
}

Result<FileIdentity> identify_program(const std::string& executable) {
  struct stat info {};
  if (::stat(executable.c_str(), &info) != 0) return posix_error("find " + show(executable), errno);
  return identify(executable, info);
}

Result<void> delete_exactly(const FileIdentity& file) {
  const std::filesystem::path path = file.canonical_path;
  const std::string name = path.filename();
  ASSIGN_OR_RETURN(const os::UniqueFd directory, open_directory(path.parent_path()));
  struct stat info {};
  if (::fstatat(directory.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return posix_error("find " + escape_foreign(file.canonical_path), errno);
  }
  if (!S_ISREG(info.st_mode) || identify(file.canonical_path, info) != file) {
    return aborted(file.canonical_path, "another file is now at");
  }
  if (::unlinkat(directory.get(), name.c_str(), 0) != 0) {
    return posix_error("delete " + escape_foreign(file.canonical_path), errno);
  }
  return ok();
}

}  // namespace da::actuator
