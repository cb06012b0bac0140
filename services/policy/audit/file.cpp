#include "services/policy/audit/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "lib/base/id.h"
#include "lib/os/files/files.h"

namespace da::policy {
namespace {

// The last record is searched in this much of the file: more than any batch that a crash can tear.
constexpr std::uint64_t kTailBytes = 4 * kMaxRecordBytes;

class FileLock {
 public:
  explicit FileLock(int fd) : fd_(fd) {
    while (::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() { ::flock(fd_, LOCK_UN); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  const int fd_;
};

Result<std::string> read_at(int fd, std::uint64_t from, std::uint64_t size, const std::filesystem::path& path) {
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::pread(fd, bytes.data() + have, bytes.size() - have, static_cast<off_t>(from + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return posix_error("read the audit log " + path.string(), errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

// The last record with a valid hash, and the offset behind it.
std::optional<std::pair<RecordLink, std::size_t>> last_record(std::string_view bytes) {
  std::size_t end = bytes.rfind('\n');
  while (end != std::string_view::npos) {
    const std::size_t before = end == 0 ? std::string_view::npos : bytes.rfind('\n', end - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view line = bytes.substr(begin, end - begin);
    if (const auto link = read_link(line); link && hash_valid(line, *link)) return std::pair{*link, end + 1};
    end = before;
  }
  return std::nullopt;
}

}  // namespace

AuditFile::AuditFile(std::filesystem::path path, os::UniqueFd fd, Identity identity, std::string boot_id,
                     const Clock& clock)
    : path_(std::move(path)), fd_(std::move(fd)), identity_(identity), boot_id_(std::move(boot_id)), clock_(&clock) {}

Result<AuditFile> AuditFile::open(const std::filesystem::path& path, std::string boot_id, const Clock& clock) {
  os::UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return posix_error("open the audit log " + path.string(), errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return posix_error("stat the audit log " + path.string(), errno);
  if (!S_ISREG(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & 077) != 0) {
    return Error{Code::kPermissionDenied,
                 "the audit log " + path.string() + " must be your own file, and unreadable for others: chmod 600 it"};
  }
  // The name of a new file must be durable too.
  const os::UniqueFd directory(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory || ::fsync(directory.get()) != 0) {
    return posix_error("sync the directory of the audit log " + path.string(), errno);
  }
  return AuditFile(path, std::move(fd), {info.st_dev, info.st_ino}, std::move(boot_id), clock);
}

Result<void> AuditFile::append(std::span<const AuditRecord> records, Reach reach) {
  const FileLock lock(fd_.get());
  ASSIGN_OR_RETURN(const std::uint64_t size, size_of_same_file());
  if (size != size_) RETURN_IF_ERROR(catch_up(size));
  lines_.clear();
  ChainEnd end = end_;
  if (!repaired_.empty()) {
    AuditRecord recovered("recovered", clock_->wall_now());
    recovered.text("problem", repaired_);
    append_record(lines_, end, boot_id_, recovered);
  }
  for (const AuditRecord& record : records) append_record(lines_, end, boot_id_, record);
  if (const auto written = write_lines(reach); !written) {
    // The caller gets an error, so nothing of this append may stay in the log.
    static_cast<void>(!::ftruncate(fd_.get(), static_cast<off_t>(size_)));
    return written;
  }
  size_ += lines_.size();
  end_ = std::move(end);
  repaired_.clear();
  if (log_id_.empty() && size_ > 0) return read_log_id();
  return ok();
}

Result<std::uint64_t> AuditFile::size_of_same_file() const {
  struct stat named {};
  if (::stat(path_.c_str(), &named) != 0) {
    return posix_error("the audit log " + path_.string() + " is gone: put it back, or restart the policy", errno);
  }
  if (named.st_ino != identity_.inode || named.st_dev != identity_.device) {
    return Error{Code::kFailedPrecondition,
                 "the audit log " + path_.string() +
                     " was replaced by another file: restore the old one, or restart the policy"};
  }
  const auto size = static_cast<std::uint64_t>(named.st_size);
  if (size < size_) {
    return Error{Code::kDataLoss, "the audit log " + path_.string() + " was cut from " + std::to_string(size_) +
                                      " to " + std::to_string(size) +
                                      " bytes: find out who did it, then restart the policy"};
  }
  return size;
}

Result<void> AuditFile::catch_up(std::uint64_t size) {
  const std::uint64_t from = size - std::min(size, kTailBytes);
  ASSIGN_OR_RETURN(const std::string bytes, read_at(fd_.get(), from, size - from, path_));
  const std::size_t whole = bytes.rfind('\n') == std::string::npos ? 0 : bytes.rfind('\n') + 1;
  const auto last = last_record(bytes);
  if (!last && (whole > 0 || from > 0)) {
    return Error{Code::kDataLoss,
                 "the audit log " + path_.string() +
                     " does not end with an audit record: move it and its heads aside, and restart the policy"};
  }
  if (whole < bytes.size()) RETURN_IF_ERROR(move_torn_aside(std::string_view(bytes).substr(whole), from + whole));
  if (last && last->second < whole) {
    repaired_ += std::to_string(whole - last->second) + " bytes after record " + std::to_string(last->first.seq) +
                 " are not records; they were left in place. ";
  }
  if (last) end_ = {last->first.seq, std::string(last->first.hash)};
  size_ = from + whole;
  return ok();
}

Result<void> AuditFile::move_torn_aside(std::string_view torn, std::uint64_t whole_size) {
  const std::string aside = path_.string() + ".torn-" + random_hex(4);
  RETURN_IF_ERROR(os::write_private_file(aside, torn));
  if (::ftruncate(fd_.get(), static_cast<off_t>(whole_size)) != 0) {
    return posix_error("cut the torn end of the audit log " + path_.string(), errno);
  }
  repaired_ += "an incomplete record of " + std::to_string(torn.size()) + " bytes was moved to " + aside + ". ";
  return ok();
}

Result<void> AuditFile::read_log_id() {
  ASSIGN_OR_RETURN(const std::string start,
                   read_at(fd_.get(), 0, std::min(size_, std::uint64_t{kMaxRecordBytes}), path_));
  const std::string_view line = std::string_view(start).substr(0, start.find('\n'));
  const auto link = read_link(line);
  log_id_ = link ? std::string(link->hash) : to_hex(blake2b(line));
  return ok();
}

Result<void> AuditFile::write_lines(Reach reach) {
  std::string_view rest = lines_;
  while (!rest.empty()) {
    const ssize_t written = ::write(fd_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return posix_error("write the audit log " + path_.string(), errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (reach == Reach::kDisk && ::fdatasync(fd_.get()) != 0) {
    return posix_error("sync the audit log " + path_.string(), errno);
  }
  return ok();
}

}  // namespace da::policy
