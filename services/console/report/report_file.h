// A private file (mode 0600) that is written piece by piece. An existing file is replaced only when the new one is
// complete. Not thread-safe.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::console {

enum class Existing { kRefuse, kReplace };

class ReportFile {
 public:
  // kAlreadyExists with kRefuse.
  static Result<ReportFile> create(const std::filesystem::path& path, Existing existing);
  ReportFile(ReportFile&& other) noexcept;
  ReportFile& operator=(ReportFile&&) = delete;
  // Removes the file unless finish() succeeded.
  ~ReportFile();

  Result<void> write(std::string_view bytes);
  Result<void> finish();

 private:
  ReportFile(os::UniqueFd fd, std::filesystem::path path, std::filesystem::path written)
      : fd_(std::move(fd)), path_(std::move(path)), written_(std::move(written)) {}

  os::UniqueFd fd_;
  std::filesystem::path path_;
  std::filesystem::path written_;  // What is written: the file itself, or one beside the file that it replaces.
};

}  // namespace da::console
