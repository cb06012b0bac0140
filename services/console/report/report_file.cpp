#include "services/console/report/report_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "lib/base/id.h"
#include "lib/os/files/file_descriptors.h"

namespace da::console {

Result<ReportFile> ReportFile::create(const std::filesystem::path& path, Existing existing) {
  std::filesystem::path written = path;
  if (existing == Existing::kReplace) written += "." + random_hex(4);
  os::UniqueFd fd(::open(written.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd && errno == EEXIST) {
    return Error{Code::kAlreadyExists, path.string() + " exists; --force replaces it"};
  }
  if (!fd) return posix_error("create " + written.string(), errno);
  return ReportFile(std::move(fd), path, std::move(written));
}

ReportFile::ReportFile(ReportFile&& other) noexcept
    : fd_(std::move(other.fd_)), path_(std::move(other.path_)), written_(std::exchange(other.written_, {})) {}

ReportFile::~ReportFile() {
  if (!written_.empty()) ::unlink(written_.c_str());
}

Result<void> ReportFile::write(std::string_view bytes) { return os::write_all(fd_.get(), bytes, written_); }

Result<void> ReportFile::finish() {
  if (::fsync(fd_.get()) != 0) return posix_error("sync " + written_.string(), errno);
  if (written_ != path_ && ::rename(written_.c_str(), path_.c_str()) != 0) {
    return posix_error("replace " + path_.string(), errno);
  }
  written_.clear();
  return ok();
}

}  // namespace da::console
