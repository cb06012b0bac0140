#include "services/policy/audit/lines.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "services/policy/audit/record.h"

namespace da::policy {
namespace {

constexpr std::size_t kChunkBytes = 1 << 20;

}  // namespace

Result<LineReader> LineReader::open(const std::filesystem::path& path) {
  os::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd) return posix_error("open " + path.string(), errno);
  struct stat info {};
  ::flock(fd.get(), LOCK_SH);
  const bool known = ::fstat(fd.get(), &info) == 0;
  ::flock(fd.get(), LOCK_UN);
  if (!known) return posix_error("stat " + path.string(), errno);
  if (!S_ISREG(info.st_mode)) return Error{Code::kInvalidArgument, path.string() + " is not a file"};
  return LineReader(std::move(fd), static_cast<std::uint64_t>(info.st_size), path.string());
}

bool LineReader::fill() {
  if (left_ == 0) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t have = buffer_.size();
  buffer_.resize(have + static_cast<std::size_t>(std::min<std::uint64_t>(left_, kChunkBytes)));
  ssize_t got = 0;
  do got = ::read(fd_.get(), buffer_.data() + have, buffer_.size() - have);
  while (got < 0 && errno == EINTR);
  if (got < 0) error_ = posix_error("read " + path_, errno);
  buffer_.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  left_ = got <= 0 ? 0 : left_ - static_cast<std::uint64_t>(got);
  return got > 0;
}

std::optional<Line> LineReader::next() {
  std::size_t searched = at_;
  bool too_long = false;
  while (true) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      const Line line{std::string_view(buffer_).substr(at_, std::min(end - at_, kMaxRecordBytes + 1))};
      at_ = end + 1;
      return line;
    }
    // A line this long is not a record, so the rest of it is not needed.
    if (buffer_.size() - at_ > kMaxRecordBytes + kChunkBytes) {
      buffer_.erase(at_ + kMaxRecordBytes + 1);
      too_long = true;
    }
    searched = buffer_.size() - at_;
    if (fill()) continue;
    if (at_ == buffer_.size() && !too_long) return std::nullopt;
    const Line line{std::string_view(buffer_).substr(at_, kMaxRecordBytes + 1), false};
    at_ = buffer_.size();
    return line;
  }
}

}  // namespace da::policy
