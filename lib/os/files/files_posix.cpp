#include "lib/os/files/files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>

#include "lib/base/id.h"
#include "lib/os/files/file_descriptors.h"
#include "lib/os/files/relative_name.h"

namespace da::os {
namespace {

// Does not block, as opening a pipe would; look_at_file() refuses what is not a regular file.
Result<UniqueFd> open_private(const std::filesystem::path& path, Links links) {
  const int no_links = links == Links::kRefuse ? O_NOFOLLOW : 0;
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | no_links));
  if (!fd && errno == ELOOP && links == Links::kRefuse) {
    return Error{Code::kPermissionDenied, "open " + path.string() + ": it is a link; use the file itself"};
  }
  if (!fd) return posix_error("open " + path.string(), errno);
  return fd;
}

Result<std::string> read_all(int fd, const std::filesystem::path& path, std::size_t max_bytes) {
  std::string content;
  char buffer[65536];
  while (true) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return posix_error("read " + path.string(), errno);
    if (got == 0) return content;
    content.append(buffer, static_cast<std::size_t>(got));
    if (content.size() > max_bytes) {
      return Error{Code::kResourceExhausted,
                   "read " + path.string() + ": larger than " + std::to_string(max_bytes) + " bytes"};
    }
  }
}

// Examines the open file, not what the path names by now.
Result<struct stat> look_at_file(int fd, const std::filesystem::path& path) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return posix_error("look at " + path.string(), errno);
  if (!S_ISREG(info.st_mode)) return Error{Code::kInvalidArgument, path.string() + " is not a file"};
  return info;
}

bool is_link(int folder, const std::filesystem::path& name) {
  const int before = errno;
  struct stat info {};
  const bool link = ::fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
  errno = before;
  return link;
}

// Opens the file step by step, so that no link that is put there meanwhile is followed.
Result<UniqueFd> open_below(UniqueFd folder, const std::filesystem::path& name) {
  constexpr int kStep = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  constexpr int kFile = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
  const auto parts = std::distance(name.begin(), name.end());
  std::ptrdiff_t number = 0;
  for (const std::filesystem::path& part : name) {
    UniqueFd next(::openat(folder.get(), part.c_str(), ++number == parts ? kFile : kStep));
    // A directory's link is "not a directory" with O_DIRECTORY.
    if (!next && (errno == ELOOP || is_link(folder.get(), part))) {
      return Error{Code::kPermissionDenied,
                   "open " + name.string() + ": there is a link on the way; use the file itself"};
    }
    if (!next) return posix_error("open " + name.string(), errno);
    folder = std::move(next);
  }
  return folder;
}

bool is_credential(const std::filesystem::path& path) {
  const char* directory = std::getenv(kCredentialsDirectory);
  return directory != nullptr && path.parent_path() == directory;
}

// root's, with an access list for one user: the list's mask shows as the group's right to read.
bool is_for_one_reader(const struct stat& info) { return info.st_uid == 0 && (info.st_mode & 037) == 0; }

std::filesystem::path from_environment(const char* variable, const std::filesystem::path& otherwise) {
  const char* value = std::getenv(variable);
  return (value != nullptr && value[0] == '/') ? std::filesystem::path(value) / "desktopassist" : otherwise;
}

}  // namespace

Result<bool> exists(const std::filesystem::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0) return true;
  if (errno == ENOENT) return false;
  return posix_error("look for " + path.string(), errno);
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return posix_error("open " + path.string(), errno);
  return read_all(fd.get(), path, max_bytes);
}

Result<void> write_private_file(const std::filesystem::path& path, std::string_view content) {
  const std::string beside = path.string() + "." + random_hex(4);
  {
    const UniqueFd fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd) return posix_error("create " + beside, errno);
    RETURN_IF_ERROR(write_all(fd.get(), content, beside));
    if (::fsync(fd.get()) != 0) return posix_error("sync " + beside, errno);
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) return posix_error("rename " + beside, errno);
  return ok();
}

Result<UniqueFd> open_private_to_append(const std::filesystem::path& path) {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  UniqueFd fd(::open(path.c_str(), kFlags, 0600));
  if (!fd) return posix_error("open " + path.string() + " for appending", errno);
  ASSIGN_OR_RETURN(const struct stat info, look_at_file(fd.get(), path));
  if (info.st_uid != ::geteuid() || (info.st_mode & 077) != 0) {
    return Error{Code::kPermissionDenied, path.string() + " must be writable by you alone; chmod 600 " + path.string()};
  }
  return fd;
}

Result<void> write_all(int fd, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return posix_error("write " + path.string(), errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return ok();
}

Result<void> sync_directory(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return posix_error("open " + path.string(), errno);
  // EINVAL: the file system cannot sync directories, so there is nothing to make durable.
  if (::fsync(fd.get()) != 0 && errno != EINVAL) return posix_error("sync " + path.string(), errno);
  return ok();
}

Result<std::string> read_private_file(const std::filesystem::path& path, Links links, std::size_t max_bytes) {
  ASSIGN_OR_RETURN(const UniqueFd fd, open_private(path, links));
  ASSIGN_OR_RETURN(const struct stat info, look_at_file(fd.get(), path));
  const bool own = info.st_uid == ::geteuid() && (info.st_mode & 077) == 0;
  if (!own && !(is_credential(path) && is_for_one_reader(info))) {
    return Error{Code::kPermissionDenied,
                 path.string() + " is a secret, so you alone may own and read it; chmod 600 " + path.string()};
  }
  return read_all(fd.get(), path, max_bytes);
}

Result<std::string> read_trusted_file(const std::filesystem::path& path, std::size_t max_bytes) {
  ASSIGN_OR_RETURN(const UniqueFd fd, open_private(path, Links::kRefuse));
  ASSIGN_OR_RETURN(const struct stat info, look_at_file(fd.get(), path));
  if ((info.st_uid != ::geteuid() && info.st_uid != 0) || (info.st_mode & 022) != 0) {
    return Error{Code::kPermissionDenied,
                 path.string() + " is trusted, so only you or root may own and write it; chmod go-w " + path.string()};
  }
  return read_all(fd.get(), path, max_bytes);
}

Result<std::string> read_file_below(const std::filesystem::path& folder, const std::filesystem::path& name,
                                    std::size_t max_bytes) {
  RETURN_IF_ERROR(stays_below_its_folder(name));
  UniqueFd directory(::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return posix_error("open " + folder.string(), errno);
  struct stat around {};
  if (::fstat(directory.get(), &around) != 0) return posix_error("look at " + folder.string(), errno);
  ASSIGN_OR_RETURN(const UniqueFd fd, open_below(std::move(directory), name));
  ASSIGN_OR_RETURN(const struct stat info, look_at_file(fd.get(), name));
  // A hard link to a file of someone else.
  if (info.st_uid != around.st_uid) {
    return Error{Code::kPermissionDenied, name.string() + " belongs to another user than its folder"};
  }
  return read_all(fd.get(), name, max_bytes);
}

Result<FileWithRights> read_file_with_rights(const std::filesystem::path& path, std::size_t max_bytes) {
  ASSIGN_OR_RETURN(const UniqueFd fd, open_private(path, Links::kRefuse));
  ASSIGN_OR_RETURN(const struct stat info, look_at_file(fd.get(), path));
  ASSIGN_OR_RETURN(std::string content, read_all(fd.get(), path, max_bytes));
  return FileWithRights{std::move(content),
                        {.is_own = info.st_uid == ::geteuid(),
                         .others_may_read = (info.st_mode & 044) != 0,
                         .others_may_write = (info.st_mode & 022) != 0}};
}

Result<void> make_private_directory(const std::filesystem::path& path) {
  // Parents that exist may belong to anyone. The lstat below detects a directory that could not be created.
  std::filesystem::path parent;
  for (const auto& name : path.parent_path()) {
    parent /= name;
    ::mkdir(parent.c_str(), 0700);
  }
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return posix_error("create " + path.string(), errno);
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return posix_error("look at " + path.string(), errno);
  if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & 077) != 0) {
    return Error{Code::kPermissionDenied, path.string() + " must be a directory of yours with mode 0700"};
  }
  return ok();
}

std::filesystem::path state_directory() {
  const char* own = std::getenv("STATE_DIRECTORY");
  if (own != nullptr && own[0] == '/') return own;
  const char* home = std::getenv("HOME");
  const std::filesystem::path fallback =
      home != nullptr ? std::filesystem::path(home) / ".local/state/desktopassist" : runtime_directory() / "state";
  return from_environment("XDG_STATE_HOME", fallback);
}

std::filesystem::path config_directory() {
  const char* home = std::getenv("HOME");
  return from_environment("XDG_CONFIG_HOME", home != nullptr && home[0] == '/'
                                                 ? std::filesystem::path(home) / ".config/desktopassist"
                                                 : std::filesystem::path());
}

// `own` stays in use, because the other user may give the name back while runs have their directories in `own`.
std::filesystem::path runtime_directory_in(const std::filesystem::path& shared, const std::filesystem::path& own) {
  const std::filesystem::path named = shared / ("desktopassist-" + std::to_string(::geteuid()));
  struct stat info {};
  const bool is_taken = ::lstat(named.c_str(), &info) == 0 && (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid());
  std::error_code error;
  const bool uses_own = !own.empty() && (is_taken || std::filesystem::is_directory(own, error));
  return uses_own ? own : named;
}

std::filesystem::path runtime_directory() {
  const char* home = std::getenv("HOME");
  const bool has_home = home != nullptr && home[0] == '/';
  const std::filesystem::path own =
      has_home ? std::filesystem::path(home) / ".local/state/desktopassist/run" : std::filesystem::path();
  return from_environment("XDG_RUNTIME_DIR", runtime_directory_in("/tmp", own));
}

}  // namespace da::os
