#include "services/actuator/grant/ledger_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

#include "lib/os/fault_point/fault_point.h"
#include "lib/os/files/files.h"
#include "lib/os/unique_fd.h"

namespace da::actuator {
namespace {

// Writes with one call, so that records of several processes do not mix.
Result<void> write_once(int fd, std::string_view bytes, const std::string& path) {
  ssize_t written = 0;
  do {
    written = ::write(fd, bytes.data(), bytes.size());
  } while (written < 0 && errno == EINTR);
  if (written < 0) return posix_error("write the ledger " + path, errno);
  if (static_cast<std::size_t>(written) == bytes.size()) return ok();
  return Error{Code::kResourceExhausted, "write the ledger " + path + ": only " + std::to_string(written) + " of " +
                                             std::to_string(bytes.size()) + " bytes went to the disk; is it full?"};
}

class PosixLedgerFile final : public LedgerFile {
 public:
  static Result<std::unique_ptr<LedgerFile>> open(const std::filesystem::path& path);

  Result<std::string> read() override;
  Result<void> append(std::string_view record) override;
  Result<Others> replace(const Rewrite& rewrite) override;

 private:
  explicit PosixLedgerFile(std::filesystem::path path) : path_(std::move(path)) {}
  // Opens the file that is at the path now, with a shared lock.
  Result<void> attach();
  bool is_at_path() const;
  Result<void> write_beside(const std::filesystem::path& beside, std::string_view content) const;

  const std::filesystem::path path_;
  os::UniqueFd fd_;
};

Result<std::unique_ptr<LedgerFile>> PosixLedgerFile::open(const std::filesystem::path& path) {
  std::unique_ptr<PosixLedgerFile> file(new PosixLedgerFile(path));
  RETURN_IF_ERROR(file->attach());
  return std::unique_ptr<LedgerFile>(std::move(file));
}

Result<void> PosixLedgerFile::attach() {
  do {
    // O_NONBLOCK: a FIFO or a device at the path must not hang the start.
    fd_.reset(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600));
    if (!fd_) return posix_error("open the ledger " + path_.string(), errno);
    struct stat info {};
    if (::fstat(fd_.get(), &info) != 0) return posix_error("look at the ledger " + path_.string(), errno);
    if (!S_ISREG(info.st_mode)) {
      return Error{Code::kFailedPrecondition, "the ledger " + path_.string() + " is not a regular file: move it away"};
    }
    if (::flock(fd_.get(), LOCK_SH) != 0) return posix_error("lock the ledger " + path_.string(), errno);
  } while (!is_at_path());
  return os::sync_directory(path_.parent_path());
}

// False if another process replaced the file before it was locked.
bool PosixLedgerFile::is_at_path() const {
  struct stat held {};
  struct stat named {};
  return ::fstat(fd_.get(), &held) == 0 && ::stat(path_.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

Result<std::string> PosixLedgerFile::read() {
  struct stat info {};
  if (::fstat(fd_.get(), &info) != 0) return posix_error("read the ledger", errno);
  std::string content(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t have = 0;
  while (have < content.size()) {
    const ssize_t got = ::pread(fd_.get(), content.data() + have, content.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return posix_error("read the ledger", errno);
    have += static_cast<std::size_t>(got);
  }
  return content;
}

Result<void> PosixLedgerFile::append(std::string_view record) {
  RETURN_IF_ERROR(write_once(fd_.get(), record, path_.string()));
  DA_FAULT_POINT("actuator.ledger_before_append_is_durable");
  if (::fdatasync(fd_.get()) != 0) return posix_error("sync the ledger " + path_.string(), errno);
  return ok();
}

Result<LedgerFile::Others> PosixLedgerFile::replace(const Rewrite& rewrite) {
  if (::flock(fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    // A failed conversion may lose the lock, and the file may be replaced before it is locked again.
    RETURN_IF_ERROR(attach());
    return Others::kHaveItOpen;
  }
  // Another process may have replaced the file between the two locks; then this descriptor refers to the old one.
  if (!is_at_path()) {
    RETURN_IF_ERROR(attach());
    return Others::kHaveItOpen;
  }
  const auto beside = path_.string() + ".new";
  const auto replaced = [&]() -> Result<void> {
    ASSIGN_OR_RETURN(const std::string content, read());
    RETURN_IF_ERROR(write_beside(beside, rewrite(content)));
    DA_FAULT_POINT("actuator.ledger_before_rename");
    if (::rename(beside.c_str(), path_.c_str()) != 0) return posix_error("rename " + beside, errno);
    DA_FAULT_POINT("actuator.ledger_after_rename");
    return ok();
  }();
  if (!replaced) {
    ::unlink(beside.c_str());
    if (::flock(fd_.get(), LOCK_SH) != 0) return posix_error("lock the ledger " + path_.string(), errno);
    return replaced.error();
  }
  RETURN_IF_ERROR(attach());
  return Others::kNone;
}

Result<void> PosixLedgerFile::write_beside(const std::filesystem::path& beside, std::string_view content) const {
  const os::UniqueFd fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!fd) return posix_error("create " + beside.string(), errno);
  RETURN_IF_ERROR(write_once(fd.get(), content, beside.string()));
  DA_FAULT_POINT("actuator.ledger_before_sync");
  if (::fsync(fd.get()) != 0) return posix_error("sync " + beside.string(), errno);
  return ok();
}

}  // namespace

Result<std::unique_ptr<LedgerFile>> open_ledger_file(const std::filesystem::path& path) {
  return PosixLedgerFile::open(path);
}

}  // namespace da::actuator
