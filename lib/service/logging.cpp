#include "lib/service/logging.h"

#include <spdlog/sinks/daily_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <mutex>
#include <utility>

#include "lib/os/files/files.h"
#include "lib/os/process/environment.h"

namespace da::service {
namespace {

constexpr std::uint16_t kDaysKept = 14;
constexpr auto kFlushEvery = std::chrono::seconds(3);

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

const std::shared_ptr<ReaderSink>& reader_sink() {
  static const auto sink = std::make_shared<ReaderSink>();
  return sink;
}

}  // namespace

void read_log(LogReader reader) { reader_sink()->read(std::move(reader)); }

Result<std::filesystem::path> log_directory(const Config& config) {
  ASSIGN_OR_RETURN(const auto configured, config.find_path("log.directory"));
  return configured.value_or(os::state_directory() / "logs");
}

Result<void> start_logging(const std::string& service, const Config& config, const std::string& flag_level) {
  ASSIGN_OR_RETURN(const auto configured, config.find_string("log.level"));
  ASSIGN_OR_RETURN(const auto console_level, config.find_string("log.console"));
  const auto from_environment = os::environment_variable("DESKTOPASSIST_LOG_LEVEL");
  ASSIGN_OR_RETURN(const auto level, parse_level(!flag_level.empty() ? flag_level
                                                 : from_environment  ? *from_environment
                                                                     : configured.value_or("info")));
  ASSIGN_OR_RETURN(const auto directory, log_directory(config));
  RETURN_IF_ERROR(os::make_private_directory(directory));
  try {
    auto console = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    ASSIGN_OR_RETURN(const auto shown, parse_level(console_level.value_or("warning")));
    console->set_level(shown);
    auto file = std::make_shared<spdlog::sinks::daily_file_sink_mt>((directory / ("da-" + service + ".log")).native(),
                                                                    0, 0, false, kDaysKept);
    auto logger = std::make_shared<spdlog::logger>(service, spdlog::sinks_init_list{console, file, reader_sink()});
    logger->set_level(level);
    logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %^%l%$ [%n %P] %v");
    logger->flush_on(spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
    spdlog::flush_every(kFlushEvery);
  } catch (const spdlog::spdlog_ex& error) {
    return Error{Code::kFailedPrecondition, std::string("open the log: ") + error.what()};
  }
  return ok();
}

}  // namespace da::service
