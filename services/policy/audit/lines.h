// Reads the lines of a log or of a heads file. The file may be hostile: lines longer than any record are cut, so that
// memory stays within a few records. Lines that are appended after open() are not read. Owner's thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::policy {

struct Line {
  std::string_view text;  // Excludes the newline; valid until the next call of next().
  bool ended = true;      // False for a last line that has no newline.
};

class LineReader {
 public:
  static Result<LineReader> open(const std::filesystem::path& path);

  // nullopt at the end, and after a read error: see error().
  std::optional<Line> next();
  const std::optional<Error>& error() const { return error_; }

 private:
  LineReader(os::UniqueFd fd, std::uint64_t size, std::string path)
      : fd_(std::move(fd)), left_(size), path_(std::move(path)) {}
  bool fill();

  os::UniqueFd fd_;
  std::uint64_t left_;  // Unread bytes.
  std::string path_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

}  // namespace da::policy
