#include "services/console/session/run_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "lib/base/id.h"
#include "lib/os/files/files.h"

namespace da::console {
namespace {

constexpr const char* kLockFile = "lock";
// sockaddr_un holds 108 bytes; the longest name that follows is "/observer/images.ipc".
constexpr std::size_t kLongestPath = 85;

// True for a directory (not a link) of this user with mode 0700, so that another user cannot plant one.
bool is_private(const std::filesystem::path& directory) {
  struct stat info {};
  return ::lstat(directory.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & 0777) == 0700;
}

std::vector<std::filesystem::path> all_runs() {
  std::vector<std::filesystem::path> runs;
  if (!is_private(os::runtime_directory())) return runs;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(os::runtime_directory(), error)) {
    if (entry.path().filename().string().starts_with("run-")) runs.push_back(entry.path());
  }
  return runs;
}

enum class Liveness { kAlive, kDead };

// O_NONBLOCK, because opening a planted pipe would block.
Liveness liveness(const std::filesystem::path& run) {
  const os::UniqueFd lock(::open((run / kLockFile).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat info {};
  if (!lock || ::fstat(lock.get(), &info) != 0 || !S_ISREG(info.st_mode)) return Liveness::kDead;
  return ::flock(lock.get(), LOCK_SH | LOCK_NB) == 0 ? Liveness::kDead : Liveness::kAlive;
}

}  // namespace

Result<RunDirectory> RunDirectory::create() {
  const std::filesystem::path parent = os::runtime_directory();
  RETURN_IF_ERROR(os::make_private_directory(parent));
  os::UniqueFd sweeping(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!sweeping || ::flock(sweeping.get(), LOCK_EX) != 0) return posix_error("lock " + parent.string(), errno);
  for (const auto& run : all_runs()) {
    std::error_code ignored;  // Another user's, or already deleted.
    if (liveness(run) == Liveness::kDead) std::filesystem::remove_all(run, ignored);
  }
  const std::filesystem::path path = parent / ("run-" + std::to_string(::getpid()) + "-" + random_hex(3));
  if (path.string().size() > kLongestPath) {
    return Error{Code::kFailedPrecondition,
                 path.string() + " is too long for the name of a socket: set XDG_RUNTIME_DIR to a shorter path"};
  }
  RETURN_IF_ERROR(os::make_private_directory(path));
  return RunDirectory(path, std::move(sweeping));
}

Result<void> RunDirectory::announce() {
  os::UniqueFd lock(::open((path_ / kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock || ::flock(lock.get(), LOCK_EX) != 0) return posix_error("lock " + path_.string(), errno);
  lock_ = std::move(lock);
  sweeping_.reset();
  return ok();
}

// Releases the lock first, so that a run with missing files never counts as live.
RunDirectory::~RunDirectory() {
  if (!sweeping_ && !lock_) return;
  lock_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::filesystem::path> RunDirectory::live() {
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> found;
  for (const auto& run : all_runs()) {
    std::error_code error;
    if (is_private(run) && liveness(run) == Liveness::kAlive)
      found.emplace_back(std::filesystem::last_write_time(run, error), run);
  }
  std::ranges::sort(found, std::greater<>());
  std::vector<std::filesystem::path> runs;
  for (auto& [time, run] : found) runs.push_back(std::move(run));
  return runs;
}

}  // namespace da::console
