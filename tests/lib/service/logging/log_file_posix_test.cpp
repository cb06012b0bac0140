#include "lib/service/logging/log_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "lib/base/clock.h"
#include "lib/os/files/files.h"
#include "lib/service/logging/logging.h"
#include "tests/temp_dir.h"

namespace da::service {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class LogFileTest : public testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path())) found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }
  std::string text(const std::string& name) const { return os::read_file(dir_.path() / name).value_or("none"); }
  void put(const std::string& name, const std::string& content = "old\n") const {
    std::ofstream(dir_.path() / name) << content;
    std::filesystem::permissions(dir_.path() / name, std::filesystem::perms(0600));
  }
  static spdlog::logger logger_to(const Result<spdlog::sink_ptr>& sink) {
    EXPECT_TRUE(sink);
    spdlog::logger logger("test", *sink);
    logger.set_pattern("%v");
    return logger;
  }

  const da::test::TempDir dir_;
  const std::string today_ = local_day(system_clock().wall_now());
};

TEST_F(LogFileTest, TheFileHasTheDateInItsNameAndMode0600) {
  auto logger = logger_to(dated_log_files(dir_.path(), "da-planner"));
  logger.info("hello");
  EXPECT_THAT(names(), ElementsAre("da-planner_" + today_ + ".log"));
  EXPECT_EQ(text(names().front()), "hello\n");
  struct stat info {};
  ASSERT_EQ(::stat((dir_.path() / names().front()).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(LogFileTest, AFullFileIsFollowedByTheNextOfTheDay) {
  auto logger = logger_to(dated_log_files(dir_.path(), "p", {.file_bytes = 10}));
  for (int i = 0; i < 3; ++i) logger.info("0123456789");
  EXPECT_THAT(names(), ElementsAre("p_" + today_ + ".2.log", "p_" + today_ + ".3.log", "p_" + today_ + ".log"));
  // A new process goes on where the file has room.
  auto again = logger_to(dated_log_files(dir_.path(), "p", {.file_bytes = 100}));
  again.info("more");
  EXPECT_EQ(text("p_" + today_ + ".log"), "0123456789\nmore\n");
}

TEST_F(LogFileTest, TheNextDayBeginsAFile) {
  const auto sink = dated_log_files(dir_.path(), "p");
  ASSERT_TRUE(sink);
  (*sink)->set_pattern("%v");
  const auto now = spdlog::log_clock::now();
  const auto tomorrow = now + std::chrono::hours(24);
  (*sink)->log({now, {}, "p", spdlog::level::info, "one"});
  (*sink)->log({tomorrow, {}, "p", spdlog::level::info, "two"});
  const std::string next = "p_" + local_day(std::chrono::time_point_cast<WallTime::duration>(tomorrow)) + ".log";
  EXPECT_EQ(text("p_" + today_ + ".log"), "one\n");
  EXPECT_EQ(text(next), "two\n");
}

TEST_F(LogFileTest, OldFilesOfTheNameAreDeletedAndNoOthers) {
  put("p_2001-01-01.log");
  put("p_2001-01-01.12.log");
  put("q_2001-01-01.log");
  put("p_2001-01-01.txt");
  put("p_notes.log");
  put("p_2001-01-01.1.log");
  static_cast<void>(dated_log_files(dir_.path(), "p"));
  EXPECT_THAT(names(), ElementsAre("p_2001-01-01.1.log", "p_2001-01-01.txt", "p_" + today_ + ".log", "p_notes.log",
                                   "q_2001-01-01.log"));
}

TEST_F(LogFileTest, TheNumberOfFilesIsBounded) {
  auto logger = logger_to(dated_log_files(dir_.path(), "p", {.file_bytes = 10, .days = 14, .files = 3}));
  for (int i = 0; i < 12; ++i) logger.info("012345678{}", i);
  EXPECT_THAT(names(), ElementsAre("p_" + today_ + ".10.log", "p_" + today_ + ".11.log", "p_" + today_ + ".12.log"));
  EXPECT_EQ(text("p_" + today_ + ".12.log"), "01234567811\n");
}

TEST_F(LogFileTest, AFileThatOthersCanReadIsNotUsed) {
  put("p_" + today_ + ".log");
  std::filesystem::permissions(dir_.path() / ("p_" + today_ + ".log"), std::filesystem::perms(0644));
  auto logger = logger_to(dated_log_files(dir_.path(), "p"));
  logger.info("private");
  EXPECT_EQ(text("p_" + today_ + ".log"), "old\n");
  EXPECT_EQ(text("p_" + today_ + ".2.log"), "private\n");
}

TEST_F(LogFileTest, LinesOfSeveralWritersDoNotMix) {
  constexpr int kWriters = 4;
  constexpr int kLines = 200;
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        auto logger = logger_to(single_log_file(dir_.path() / "all.log"));
        for (int i = 0; i < kLines; ++i) logger.info("{}", std::string(300, static_cast<char>('a' + writer)));
      });
    }
  }
  std::istringstream lines(text("all.log"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_EQ(line, std::string(300, line.front()));
  EXPECT_EQ(count, kWriters * kLines);
}

TEST_F(LogFileTest, ASingleFileEndsWithAMessageWhenItIsFull) {
  auto logger = logger_to(single_log_file(dir_.path() / "all.log", 20));
  for (int i = 0; i < 10; ++i) logger.info("0123456789");
  EXPECT_EQ(text("all.log"), "0123456789\n0123456789\nthis log file has 20 bytes and ends here\n");
}

TEST_F(LogFileTest, ASingleFileIsNoLinkAndPrivate) {
  put("target");
  std::filesystem::create_symlink(dir_.path() / "target", dir_.path() / "link");
  EXPECT_FALSE(single_log_file(dir_.path() / "link"));
  std::filesystem::permissions(dir_.path() / "target", std::filesystem::perms(0644));
  const auto open = single_log_file(dir_.path() / "target");
  ASSERT_FALSE(open);
  EXPECT_THAT(open.error().message, HasSubstr("chmod 600"));
}

TEST_F(LogFileTest, ALargeFileOfEarlierRunsIsRotatedAndFiveAreKept) {
  const auto file = dir_.path() / "all.log";
  for (int i = 1; i <= 5; ++i) put("all.log." + std::to_string(i), std::to_string(i));
  put("all.log", std::string((10 << 20) + 1, 'x'));
  ASSERT_TRUE(rotate_log_file(file));
  EXPECT_THAT(names(), ElementsAre("all.log.1", "all.log.2", "all.log.3", "all.log.4", "all.log.5"));
  EXPECT_EQ(text("all.log.2"), "1");
  EXPECT_EQ(text("all.log.5"), "4");
  put("all.log", "small");
  ASSERT_TRUE(rotate_log_file(file));
  EXPECT_EQ(text("all.log"), "small");
}

TEST_F(LogFileTest, TheConfigurationChoosesThePlace) {
  const auto place = [](const std::string& toml) { return log_place(*Config::parse(toml, "t.toml")).value(); };
  EXPECT_EQ(place("").directory, os::state_directory() / "logs");
  EXPECT_EQ(place("[log]\ndirectory = \"/d\"").directory, "/d");
  EXPECT_EQ(place("[log]\ndirectory = \"/d\"\nfile = \"/f\"").file, "/f");
  EXPECT_TRUE(place("[log]\ndirectory = \"/d\"\nfile = \"/f\"").directory.empty());
  EXPECT_TRUE(place("[log]\nfile = \"/f\"\nfiles = false").file.empty());
  EXPECT_TRUE(place("[log]\nfiles = false").directory.empty());
}

}  // namespace
}  // namespace da::service
