#include "lib/service/logging/logging.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "lib/base/plain_output.h"
#include "lib/os/files/append_file.h"
#include "lib/os/files/files.h"
#include "lib/os/process/environment.h"
#include "lib/service/logging/log_file.h"

namespace da::service {
namespace {

Result<spdlog::level::level_enum> parse_level(const std::string& text) {
  const auto level = spdlog::level::from_str(text);
  if (level == spdlog::level::off && text != "off") {
    return Error{Code::kInvalidArgument,
                 "log level \"" + text + "\": use trace, debug, info, warning, error, critical or off"};
  }
  return level;
}

// Passes lines of level warning and above to a reader.
class ReaderSink final : public spdlog::sinks::sink {
 public:
  ReaderSink() { set_level(spdlog::level::warn); }

  void read(LogReader reader) {
    const std::lock_guard hold(mutex_);
    reader_ = std::move(reader);
  }
  void log(const spdlog::details::log_msg& message) override {
    thread_local bool reading = false;
    if (reading) return;  // The reader itself logs.
    reading = true;
    {
      const std::lock_guard hold(mutex_);
      if (reader_) reader_(level_of(message.level), std::string(message.payload.data(), message.payload.size()));
    }
    reading = false;
  }
  void flush() override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

 private:
  static LogLevel level_of(spdlog::level::level_enum level) {
    if (level >= spdlog::level::critical) return LogLevel::kCritical;
    return level == spdlog::level::err ? LogLevel::kError : LogLevel::kWarning;
  }
  std::mutex mutex_;
  LogReader reader_;
};

// A message may contain text of others.
class PlainFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    std::string pending;
    std::string text = without_controls({message.payload.data(), message.payload.size()}, pending, Sequences::kNone);
    text += pending;
    spdlog::details::log_msg plain = message;
    plain.payload = text;
    pattern_.format(plain, line);
  }
  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<PlainFormatter>(); }

 private:
  spdlog::pattern_formatter pattern_{"%Y-%m-%dT%H:%M:%S.%e%z %l [%n %P] %v"};
};

const std::shared_ptr<ReaderSink>& reader_sink() {
  static const auto sink = std::make_shared<ReaderSink>();
  return sink;
}

}  // namespace

void read_log(LogReader reader) { reader_sink()->read(std::move(reader)); }

Result<LogPlace> log_place(const Config& config) {
  ASSIGN_OR_RETURN(const auto files, config.find_boolean("log.files"));
  if (!files.value_or(true)) return LogPlace{};
  ASSIGN_OR_RETURN(const auto file, config.find_path("log.file"));
  if (file) return LogPlace{.directory = {}, .file = *file};
  ASSIGN_OR_RETURN(const auto configured, config.find_path("log.directory"));
  return LogPlace{.directory = configured.value_or(os::state_directory() / "logs"), .file = {}};
}

Result<void> make_log_place(const LogPlace& place) {
  if (!place.directory.empty()) return os::make_private_directory(place.directory);
  if (place.file.empty()) return ok();
  ASSIGN_OR_RETURN(const auto file, os::AppendFile::open_private(place.file));
  return ok();
}

Result<void> start_logging(const std::string& service, const Config& config, const std::string& flag_level) {
  ASSIGN_OR_RETURN(const auto configured, config.find_string("log.level"));
  ASSIGN_OR_RETURN(const auto console_level, config.find_string("log.console"));
  const auto from_environment = os::environment_variable("DESKTOPASSIST_LOG_LEVEL");
  ASSIGN_OR_RETURN(const auto level, parse_level(!flag_level.empty() ? flag_level
                                                 : from_environment  ? *from_environment
                                                                     : configured.value_or("info")));
  ASSIGN_OR_RETURN(const auto place, log_place(config));
  RETURN_IF_ERROR(make_log_place(place));
  try {
    auto console = std::make_shared<spdlog::sinks::stderr_sink_mt>();  // Colours would be escapes in a terminal.
    ASSIGN_OR_RETURN(const auto shown, parse_level(console_level.value_or("warning")));
    console->set_level(shown);
    std::vector<spdlog::sink_ptr> sinks = {console, reader_sink()};
    if (!place.file.empty()) {
      ASSIGN_OR_RETURN(sinks.emplace_back(), single_log_file(place.file));
    } else if (!place.directory.empty()) {
      ASSIGN_OR_RETURN(sinks.emplace_back(), dated_log_files(place.directory, "da-" + service));
    }
    auto logger = std::make_shared<spdlog::logger>(service, sinks.begin(), sinks.end());
    logger->set_level(level);
    logger->set_formatter(std::make_unique<PlainFormatter>());
    spdlog::set_default_logger(std::move(logger));
  } catch (const spdlog::spdlog_ex& error) {
    return Error{Code::kFailedPrecondition, std::string("open the log: ") + error.what()};
  }
  return ok();
}

}  // namespace da::service
