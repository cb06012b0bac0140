#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/os/files/file_descriptors.h"
#include "services/actuator/desktop/files/freedesktop_trash.h"

namespace da::actuator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInfoSuffix = ".trashinfo";
// Bytes of a name on Linux's file systems, without the suffix.
constexpr std::size_t kLongestName = 255 - kInfoSuffix.size();
constexpr std::size_t kLongestShown = 4096;
constexpr int kTries = 8;

// Whole: people look for the file there.
std::string show(const fs::path& path) { return quote_foreign(path.string(), kLongestShown); }

// The directory `name`, which must belong to this user alone. A link is refused, or followed if it is the user's own.
Result<os::UniqueFd> open_own(int parent, const fs::path& name, const fs::path& shown, int no_links = O_NOFOLLOW) {
  os::UniqueFd directory(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | no_links));
  if (!directory) return posix_error("open the trash " + show(shown), errno);
  struct stat info {};
  if (::fstat(directory.get(), &info) != 0) return posix_error("look at the trash " + show(shown), errno);
  if (info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return Error{Code::kPermissionDenied, "the trash " + show(shown) + " must belong to you, and others must not be " +
                                              "allowed to change it: chmod go-w"};
  }
  return directory;
}

Result<os::UniqueFd> make_own(int parent, const fs::path& name, const fs::path& shown) {
  if (::mkdirat(parent, name.c_str(), 0700) != 0 && errno != EEXIST) {
    return posix_error("make the trash " + show(shown), errno);
  }
  return open_own(parent, name, shown);
}

// A directory that all users share, made by an administrator. The specification demands the sticky bit, which keeps
// them from renaming each other's directories, and forbids a link.
os::UniqueFd open_shared(int top) {
  os::UniqueFd shared(::openat(top, ".Trash", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  const bool usable = shared && ::fstat(shared.get(), &info) == 0 && (info.st_mode & S_ISVTX) != 0;
  return usable ? std::move(shared) : os::UniqueFd();
}

// Encodes a path as the specification demands: %XX for each byte that a URL does not have as itself.
std::string encoded_path(const fs::path& path) {
  std::string encoded = path.is_absolute() ? "/" : "";
  for (const fs::path& name : path.relative_path()) {
    if (!encoded.empty() && encoded.back() != '/') encoded += '/';
    encoded += percent_encoded(name.string());
  }
  return encoded;
}

// In local time, without a zone, as the specification demands.
std::string local_time(WallTime time) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[32] = {};
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts)};
}

// Never within a character of UTF-8.
std::string cut(std::string name, std::size_t size) {
  if (name.size() <= size) return name;
  const auto is_inner = [&](std::size_t at) { return (static_cast<unsigned char>(name[at]) & 0xc0) == 0x80; };
  while (size > 0 && is_inner(size)) --size;
  name.resize(size);
  return name;
}

Result<void> write_durably(int fd, const std::string& content, const fs::path& shown) {
  RETURN_IF_ERROR(os::write_all(fd, content, shown));
  if (::fsync(fd) != 0) return posix_error("sync " + show(shown), errno);
  return ok();
}

bool is_same_file(int directory, const std::string& name, int file) {
  struct stat moved {
  }, meant{};
  return ::fstatat(directory, name.c_str(), &moved, AT_SYMLINK_NOFOLLOW) == 0 && ::fstat(file, &meant) == 0 &&
         moved.st_dev == meant.st_dev && moved.st_ino == meant.st_ino;
}

bool is_same_directory(int a, int b) { return is_same_file(a, ".", b); }

}  // namespace

Result<FreedesktopTrash> FreedesktopTrash::open_home(const fs::path& directory) {
  // The last one may be a link that the user has made. Those above it need not be the user's.
  fs::path parent;
  for (const fs::path& name : directory) {
    parent /= name;
    ::mkdir(parent.c_str(), 0700);
  }
  ASSIGN_OR_RETURN(const auto own, open_own(AT_FDCWD, directory, directory, 0));
  return open(own, directory, {});
}

Result<FreedesktopTrash> FreedesktopTrash::open_top(const os::UniqueFd& top, const fs::path& top_path) {
  const std::string user = std::to_string(::geteuid());
  if (const os::UniqueFd shared = open_shared(top.get())) {
    const fs::path path = top_path / ".Trash" / user;
    if (const auto own = make_own(shared.get(), user, path)) return open(*own, path, top_path);
  }
  const std::string name = ".Trash-" + user;
  ASSIGN_OR_RETURN(const auto own, make_own(top.get(), name, top_path / name));
  return open(own, top_path / name, top_path);
}

Result<FreedesktopTrash> FreedesktopTrash::open(const os::UniqueFd& directory, fs::path path, fs::path top) {
  FreedesktopTrash trash(std::move(path), std::move(top));
  ASSIGN_OR_RETURN(trash.files_, make_own(directory.get(), "files", trash.path_ / "files"));
  ASSIGN_OR_RETURN(trash.info_, make_own(directory.get(), "info", trash.path_ / "info"));
  return trash;
}

Result<std::string> FreedesktopTrash::reserve(const std::string& name, const std::string& info) {
  for (int i = 0; i < kTries; ++i) {
    const std::string mark = "." + random_hex(4);
    const std::string wanted = i == 0 ? cut(name, kLongestName) : cut(name, kLongestName - mark.size()) + mark;
    const fs::path shown = path_ / "info" / (wanted + std::string(kInfoSuffix));
    const os::UniqueFd made(
        ::openat(info_.get(), shown.filename().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!made && errno == EEXIST) continue;
    if (!made) return posix_error("create " + show(shown), errno);
    const bool is_taken = ::faccessat(files_.get(), wanted.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    const auto written = is_taken ? ok() : write_durably(made.get(), info, shown);
    if (!is_taken && written && ::fsync(info_.get()) == 0) return wanted;
    release(wanted);
    RETURN_IF_ERROR(written);
  }
  return Error{Code::kUnavailable, "no name for " + show(name) + " is free in the trash " + show(path_)};
}

void FreedesktopTrash::release(const std::string& name) {
  ::unlinkat(info_.get(), (name + std::string(kInfoSuffix)).c_str(), 0);
}

Result<std::string> FreedesktopTrash::take(const os::UniqueFd& directory, const std::string& name,
                                           const os::UniqueFd& entry, const fs::path& path, WallTime now) {
  if (is_same_directory(directory.get(), files_.get())) {
    return Error{Code::kFailedPrecondition, show(path) + " is in the trash already"};
  }
  const std::string info = "[Trash Info]\nPath=" + encoded_path(top_.empty() ? path : path.lexically_relative(top_)) +
                           "\nDeletionDate=" + local_time(now) + "\n";
  ASSIGN_OR_RETURN(const std::string kept_as, reserve(name, info));
  if (::renameat2(directory.get(), name.c_str(), files_.get(), kept_as.c_str(), RENAME_NOREPLACE) != 0) {
    const int failure = errno;
    release(kept_as);
    if (failure == EXDEV) return Error{Code::kOutOfRange, "the trash " + show(path_) + " is on another file system"};
    if (failure == EINVAL) {
      return Error{Code::kFailedPrecondition, "the file system of " + show(path) +
                                                  " cannot move a file without the risk of replacing another one"};
    }
    return posix_error("move " + show(path) + " to the trash", failure);
  }
  // The open file keeps its inode number from being used again.
  if (!is_same_file(files_.get(), kept_as, entry.get())) return put_back(directory, name, kept_as, path);
  const std::string kept_path = (path_ / "files" / kept_as).string();
  if (::fsync(files_.get()) == 0) return kept_path;
  return posix_error("sync the trash after " + show(path) + " was moved to " + show(kept_path), errno);
}

Result<std::string> FreedesktopTrash::put_back(const os::UniqueFd& directory, const std::string& name,
                                               const std::string& kept_as, const fs::path& path) {
  if (::renameat2(files_.get(), kept_as.c_str(), directory.get(), name.c_str(), RENAME_NOREPLACE) == 0) {
    release(kept_as);
    return Error{Code::kAborted, "another file is now at " + show(path) + ", so nothing was deleted"};
  }
  return Error{Code::kAborted, "another file came to " + show(path) +
                                   " at the last moment; it is now in the trash as " + show(path_ / "files" / kept_as) +
                                   " and cannot be put back: " + posix_error("rename", errno).message};
}

}  // namespace da::actuator
