#include <fcntl.h>
#include <linux/openat2.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "lib/base/text.h"
#include "lib/os/process/environment.h"
#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/files/freedesktop_trash.h"
#include "services/actuator/desktop/files/system_files.h"

namespace da::actuator {
namespace {

namespace fs = std::filesystem;

std::string show(const std::string& foreign) { return "\"" + escape_foreign(foreign, 80) + "\""; }

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

// `info` comes from lstat, stat or fstat of the file.
FileIdentity identity_of(const std::string& canonical_path, const struct stat& info) {
  return {canonical_path, static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
          std::int64_t{info.st_ctim.tv_sec} * 1'000'000'000 + info.st_ctim.tv_nsec,
          static_cast<std::uint64_t>(info.st_size)};
}

fs::path home_trash() {
  const auto data = os::environment_variable("XDG_DATA_HOME");
  if (data && data->starts_with('/')) return fs::path(*data) / "Trash";
  const auto home = os::environment_variable("HOME");
  if (home && home->starts_with('/')) return fs::path(*home) / ".local/share/Trash";
  const passwd* user = ::getpwuid(::geteuid());
  return user == nullptr ? fs::path() : fs::path(user->pw_dir) / ".local/share/Trash";
}

// 0: unknown.
std::uint64_t mount_of(int directory) {
  struct statx info {};
  if (::statx(directory, "", AT_EMPTY_PATH, STATX_MNT_ID, &info) != 0) return 0;
  return (info.stx_mask & STATX_MNT_ID) == 0 ? 0 : info.stx_mnt_id;
}

struct Top {
  os::UniqueFd directory;
  fs::path path;
};

// The topmost directory of the file system that the open directory belongs to.
Result<Top> top_of(const os::UniqueFd& directory, fs::path path) {
  const auto up = [](int from, const char* name) {
    return os::UniqueFd(::openat(from, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
  };
  Top top{up(directory.get(), "."), std::move(path)};
  while (top.directory && top.path.has_relative_path()) {
    os::UniqueFd above = up(top.directory.get(), "..");
    if (!above) return posix_error("open the directory above " + show(top.path), errno);
    const std::uint64_t mount = mount_of(top.directory.get());
    if (mount == 0 || mount_of(above.get()) != mount) break;
    top = {std::move(above), top.path.parent_path()};
  }
  if (!top.directory) return posix_error("open " + show(top.path), errno);
  return top;
}

class LinuxFiles final : public Files {
 public:
  LinuxFiles(FilesOptions options, const Clock& clock) : options_(std::move(options)), clock_(clock) {}

  Result<FileIdentity> identify(const std::string& path) override {
    if (!path.starts_with('/')) {
      return Error{Code::kInvalidArgument, "file_delete needs an absolute path, not " + show(path)};
    }
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) return posix_error("find " + show(path), errno);
    if (!S_ISREG(info.st_mode)) return Error{Code::kInvalidArgument, show(path) + " is not a plain file"};
    std::error_code error;
    const auto canonical = fs::canonical(path, error);
    if (error) return Error{Code::kNotFound, show(path) + ": " + error.message()};
    return identity_of(canonical.string(), info);
  }

  Result<FileIdentity> identify_program(const std::string& executable) override {
    struct stat info {};
    if (::stat(executable.c_str(), &info) != 0) return posix_error("find " + show(executable), errno);
    return identity_of(executable, info);
  }

  Result<std::string> remove(const FileIdentity& file) override {
    const fs::path path = file.canonical_path;
    const std::string name = path.filename();
    ASSIGN_OR_RETURN(const os::UniqueFd directory, open_directory(path.parent_path()));
    const os::UniqueFd entry(::openat(directory.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!entry) return posix_error("find " + escape_foreign(file.canonical_path), errno);
    struct stat info {};
    if (::fstat(entry.get(), &info) != 0) return posix_error("look at " + escape_foreign(file.canonical_path), errno);
    if (!S_ISREG(info.st_mode) || identity_of(file.canonical_path, info) != file) {
      return aborted(file.canonical_path, "another file is now at");
    }
    const auto take = [&](Result<FreedesktopTrash> trash) -> Result<std::string> {
      if (!trash) return Error{Code::kOutOfRange, trash.error().message};
      return trash->take(directory, name, entry, path, clock_.wall_now());
    };
    auto moved = take(FreedesktopTrash::open_home(options_.home_trash.empty() ? home_trash() : options_.home_trash));
    if (moved || moved.error().code != Code::kOutOfRange) return moved;
    ASSIGN_OR_RETURN(const Top top, top_of(directory, path.parent_path()));
    auto moved_there = take(FreedesktopTrash::open_top(top.directory, top.path));
    if (moved_there || moved_there.error().code != Code::kOutOfRange) return moved_there;
    return Error{Code::kFailedPrecondition, "there is no trash for " + quote_foreign(file.canonical_path) +
                                                ", so it was not deleted: " + moved.error().message + "; " +
                                                moved_there.error().message};
  }

 private:
  const FilesOptions options_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<Files> open_system_files(FilesOptions options, const Clock& clock) {
  return std::make_unique<LinuxFiles>(std::move(options), clock);
}

}  // namespace da::actuator
