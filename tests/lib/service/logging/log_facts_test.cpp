#include "lib/service/logging/log_facts.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include "da/v1/history.pb.h"
#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/service/logging/logging.h"
#include "tests/temp_dir.h"

namespace da::service {
namespace {

class LogFactsTest : public testing::Test {
 protected:
  LogFactsTest() {
    const Config config =
        *Config::parse("[log]\ndirectory = " + quote_toml(text_of(dir_.path())) + "\nconsole = \"off\"\n", "test.toml");
    EXPECT_TRUE(start_logging("policy", config, "trace"));
  }
  ~LogFactsTest() override { spdlog::set_default_logger(before_); }

  std::optional<v1::LogLine> next() {
    const auto fact = reader_.next(system_clock().now());
    if (!fact || !*fact) return std::nullopt;
    return (*fact)->as<v1::PolicyLog>()->line();
  }

  const std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
  const da::test::TempDir dir_;
  std::shared_ptr<bus::MemoryBus> memory_ = bus::MemoryBus::create();
  bus::Publisher bus_{memory_->sink(), {"policy", "fake:1"}, system_clock()};
  bus::Subscriber reader_{memory_->source({bus::topic_name<v1::PolicyLog>()})};
};

TEST_F(LogFactsTest, WarningsAndAboveArePublished) {
  const LogFacts facts(bus_, "policy");
  spdlog::info("not told");
  spdlog::warn("the disk is {}", "slow");
  spdlog::error("the disk is full");
  const auto slow = next();
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->level(), v1::LogLine::LEVEL_WARNING);
  EXPECT_EQ(slow->text(), "the disk is slow");
  const auto full = next();
  ASSERT_TRUE(full);
  EXPECT_EQ(full->level(), v1::LogLine::LEVEL_ERROR);
  EXPECT_FALSE(next());
}

TEST_F(LogFactsTest, NothingIsPublishedAfterwards) {
  { const LogFacts facts(bus_, "policy"); }
  spdlog::error("late");
  EXPECT_FALSE(next());
}

TEST_F(LogFactsTest, AReaderThatLogsDoesNotReadItself) {
  int read = 0;
  read_log([&](LogLevel, const std::string& text) {
    ++read;
    spdlog::error("read {}", text);
  });
  spdlog::error("once");
  read_log({});
  EXPECT_EQ(read, 1);
}

}  // namespace
}  // namespace da::service
