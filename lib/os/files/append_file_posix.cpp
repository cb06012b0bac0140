#include <fcntl.h>

#include <cerrno>

#include "lib/os/files/append_file.h"
#include "lib/os/files/file_descriptors.h"
#include "lib/os/unique_fd.h"

namespace da::os {
namespace {

class PosixAppendFile final : public AppendFile {
 public:
  PosixAppendFile(UniqueFd fd, std::filesystem::path path) : fd_(std::move(fd)), path_(std::move(path)) {}
  Result<void> append(std::string_view bytes) override {
    const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written == static_cast<ssize_t>(bytes.size())) return ok();
    return posix_error("append to " + path_.string(), written < 0 ? errno : ENOSPC);
  }

 private:
  const UniqueFd fd_;
  const std::filesystem::path path_;
};

}  // namespace

Result<std::unique_ptr<AppendFile>> AppendFile::open(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!fd) return posix_error("open " + path.string(), errno);
  return std::unique_ptr<AppendFile>(std::make_unique<PosixAppendFile>(std::move(fd), path));
}

Result<std::unique_ptr<AppendFile>> AppendFile::open_private(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(UniqueFd fd, open_private_to_append(path));
  return std::unique_ptr<AppendFile>(std::make_unique<PosixAppendFile>(std::move(fd), path));
}

}  // namespace da::os
