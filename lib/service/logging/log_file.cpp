#include "lib/service/logging/log_file.h"

#include <spdlog/sinks/base_sink.h>

#include <algorithm>
#include <charconv>
#include <mutex>
#include <optional>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/path_text.h"
#include "lib/os/files/append_file.h"

namespace da::service {
namespace {

constexpr int kMostFilesOfADay = 10'000;
constexpr std::uint64_t kRotateFrom = 10 << 20;
constexpr int kOldFiles = 5;

// "2026-11-26.2.log" after "NAME_": its day and number.
struct DatedName {
  std::string day;
  int number = 1;
  std::filesystem::path path;
  friend bool operator<(const DatedName& one, const DatedName& other) {
    return std::pair(one.day, one.number) < std::pair(other.day, other.number);
  }
};

std::string file_name(const std::string& name, const std::string& day, int number) {
  return name + "_" + day + (number == 1 ? "" : "." + std::to_string(number)) + ".log";
}

// nullopt: not a log of that name.
std::optional<DatedName> parse_name(const std::filesystem::path& path, const std::string& name) {
  constexpr std::size_t kDayLength = 10;
  const std::string file = text_of(path.filename());
  const std::string begin = name + "_";
  if (!file.starts_with(begin) || file.size() < begin.size() + kDayLength) return std::nullopt;
  DatedName parsed{.day = file.substr(begin.size(), kDayLength), .number = 1, .path = path};
  const std::size_t dot = begin.size() + kDayLength;
  if (dot < file.size() && file[dot] == '.') std::from_chars(&file[dot] + 1, file.data() + file.size(), parsed.number);
  if (parsed.number < 1 || file_name(name, parsed.day, parsed.number) != file) {
    parsed.number = 1;
    if (file_name(name, parsed.day, 1) != file) return std::nullopt;
  }
  return parsed;
}

std::uint64_t size_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

class LogSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void flush_() override {}  // Each line is written at once.

  void write(os::AppendFile& file, const spdlog::memory_buf_t& line) {
    if (const auto written = file.append({line.data(), line.size()}); !written) {
      throw spdlog::spdlog_ex(written.error().message);
    }
  }
};

class DatedLogFiles final : public LogSink {
 public:
  DatedLogFiles(std::filesystem::path directory, std::string name, LogRotation rotation)
      : directory_(std::move(directory)), name_(std::move(name)), rotation_(rotation) {}

  Result<void> open(WallTime now) {
    const std::string day = local_day(now);
    number_ = day == day_ ? number_ + 1 : 1;
    day_ = day;
    for (; number_ <= kMostFilesOfADay; ++number_) {
      const auto path = directory_ / file_name(name_, day_, number_);
      bytes_ = size_of(path);
      if (bytes_ >= rotation_.file_bytes) continue;
      auto file = os::AppendFile::open_private(path);
      // A file that others can read, such as one of an earlier version.
      if (!file && file.error().code == Code::kPermissionDenied) continue;
      if (!file) return file.error();
      file_ = *std::move(file);
      delete_old(now);
      return ok();
    }
    return Error{Code::kResourceExhausted, "there are too many log files of one day in " + text_of(directory_)};
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const WallTime now = std::chrono::time_point_cast<WallTime::duration>(message.time);
    if (bytes_ >= rotation_.file_bytes || local_day(now) != day_) {
      if (const auto opened = open(now); !opened) throw spdlog::spdlog_ex(opened.error().message);
    }
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    write(*file_, line);
    bytes_ += line.size();
  }

 private:
  void delete_old(WallTime now) const {
    const std::string oldest_day = local_day(now - std::chrono::hours(24) * rotation_.days);
    std::vector<DatedName> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(directory_, ignored)) {
      if (auto parsed = parse_name(entry.path(), name_)) files.push_back(*std::move(parsed));
    }
    std::ranges::sort(files, std::less<>());
    const auto kept = static_cast<std::size_t>(rotation_.files);
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (files[i].day < oldest_day || i + kept < files.size()) std::filesystem::remove(files[i].path, ignored);
    }
  }

  const std::filesystem::path directory_;
  const std::string name_;
  const LogRotation rotation_;
  std::string day_;
  int number_ = 0;
  std::uint64_t bytes_ = 0;
  std::unique_ptr<os::AppendFile> file_;
};

class SingleLogFile final : public LogSink {
 public:
  SingleLogFile(std::unique_ptr<os::AppendFile> file, std::filesystem::path path, std::uint64_t max_bytes)
      : file_(std::move(file)), path_(std::move(path)), max_bytes_(max_bytes) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (is_full_) return;
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (size_of(path_) >= max_bytes_) {
      is_full_ = true;
      line.clear();
      const std::string last = "this log file has " + std::to_string(max_bytes_) + " bytes and ends here\n";
      line.append(last.data(), last.data() + last.size());
    }
    write(*file_, line);
  }

 private:
  std::unique_ptr<os::AppendFile> file_;
  const std::filesystem::path path_;
  const std::uint64_t max_bytes_;
  bool is_full_ = false;
};

}  // namespace

Result<spdlog::sink_ptr> dated_log_files(const std::filesystem::path& directory, const std::string& name,
                                         const LogRotation& rotation) {
  auto files = std::make_shared<DatedLogFiles>(directory, name, rotation);
  RETURN_IF_ERROR(files->open(system_clock().wall_now()));
  return spdlog::sink_ptr(std::move(files));
}

Result<void> rotate_log_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_symlink(file, error) || size_of(file) < kRotateFrom) return ok();
  ASSIGN_OR_RETURN(const auto own, os::AppendFile::open_private(file));
  const auto numbered = [&file](int number) {
    return number == 0 ? file : path_of(text_of(file) + "." + std::to_string(number));
  };
  for (int number = kOldFiles - 1; number >= 0; --number) {
    if (!std::filesystem::exists(numbered(number), error)) continue;
    std::filesystem::rename(numbered(number), numbered(number + 1), error);
    if (error) return Error{Code::kFailedPrecondition, "rename " + text_of(numbered(number)) + ": " + error.message()};
  }
  return ok();
}

Result<spdlog::sink_ptr> single_log_file(const std::filesystem::path& file, std::uint64_t max_bytes) {
  ASSIGN_OR_RETURN(auto opened, os::AppendFile::open_private(file));
  return spdlog::sink_ptr(std::make_shared<SingleLogFile>(std::move(opened), file, max_bytes));
}

}  // namespace da::service
