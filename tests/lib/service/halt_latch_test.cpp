#include "lib/service/halt_latch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>

#include "tests/temp_dir.h"

namespace da::service {
namespace {

using testing::HasSubstr;

TEST(HaltLatch, SurvivesARestartUntilReleased) {
  const da::test::TempDir dir;
  const ManualClock clock;
  {
    auto latch = HaltLatch::open(dir.path());
    ASSERT_TRUE(latch) << latch.error().message;
    EXPECT_FALSE(latch->engaged());
    ASSERT_TRUE(latch->engage({"smoke", "ada"}, clock));
    EXPECT_EQ(latch->engaged()->reason, "smoke");
  }
  auto again = HaltLatch::open(dir.path());
  ASSERT_TRUE(again->engaged());
  EXPECT_THAT(again->engaged()->reason, HasSubstr("smoke (by ada"));
  ASSERT_TRUE(again->release());
  EXPECT_FALSE(again->engaged());
  EXPECT_FALSE(HaltLatch::open(dir.path())->engaged());
}

// Regression: the status was "halted: yes: , by da-actuator".
TEST(HaltLatch, InWordsOmitsUnknownReason) {
  EXPECT_EQ(in_words({"", "da-actuator"}), "yes, by da-actuator");
  EXPECT_EQ(in_words({"smoke", "ada"}), "yes: smoke, by ada");
  EXPECT_EQ(in_words({"a\x1b", ""}), "yes: a\\x1b");
}

// Regression: a halt during a release was lost in memory but written to disk.
TEST(HaltLatch, MemoryAndDiskAgreeIfHaltRacesRelease) {
  const da::test::TempDir dir;
  const ManualClock clock;
  auto latch = HaltLatch::open(dir.path());
  ASSERT_TRUE(latch);
  for (int round = 0; round < 300; ++round) {
    std::thread halting([&] { EXPECT_TRUE(latch->engage({"stop", "ada"}, clock)); });
    static_cast<void>(latch->release());
    halting.join();
    ASSERT_EQ(latch->engaged().has_value(), std::filesystem::exists(dir.path() / "halted")) << round;
  }
}

TEST(HaltLatch, ReleaseKeepsHaltThatCameAfterItBegan) {
  const da::test::TempDir dir;
  const ManualClock clock;
  auto latch = HaltLatch::open(dir.path());
  ASSERT_TRUE(latch->engage({"first", "ada"}, clock));
  const auto engagements = latch->engagements();
  ASSERT_TRUE(latch->engage({"second", "bob"}, clock));
  EXPECT_EQ(latch->release(engagements).error().code, Code::kAborted);
  EXPECT_EQ(latch->engaged()->by, "bob");
  EXPECT_THAT(HaltLatch::open(dir.path())->engaged()->reason, HasSubstr("second (by bob"));
  ASSERT_TRUE(latch->release(latch->engagements()));
  EXPECT_FALSE(latch->engaged());
}

TEST(HaltLatch, EngagesInMemoryBeforeDiskWrite) {
  const da::test::TempDir dir;
  const ManualClock clock;
  auto latch = HaltLatch::open(dir.path());
  latch->engage_in_memory({"smoke", "ada"});
  EXPECT_TRUE(latch->engaged());
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "halted"));
  ASSERT_TRUE(latch->write_down(clock));
  EXPECT_THAT(HaltLatch::open(dir.path())->engaged()->reason, HasSubstr("smoke (by ada"));
}

TEST(HaltLatch, HaltReleasedBeforeDiskWriteLeavesNoFile) {
  const da::test::TempDir dir;
  const ManualClock clock;
  auto latch = HaltLatch::open(dir.path());
  latch->engage_in_memory({"smoke", "ada"});
  ASSERT_TRUE(latch->release());
  ASSERT_TRUE(latch->write_down(clock));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "halted"));
}

TEST(HaltLatch, UnreadableFileCountsAsHalted) {
  const da::test::TempDir dir;
  std::filesystem::create_directory(dir.path() / "halted");
  EXPECT_TRUE(HaltLatch::open(dir.path())->engaged());
}

TEST(HaltLatch, HaltsEvenIfDiskWriteFails) {
  const ManualClock clock;
  auto dir = std::make_unique<da::test::TempDir>();
  auto latch = HaltLatch::open(dir->path());
  dir.reset();
  EXPECT_FALSE(latch->engage({"smoke", "ada"}, clock));
  EXPECT_TRUE(latch->engaged());
}

// A disk that does not answer until it is released.
class HangingDisk {
 public:
  static Result<void> write(const std::filesystem::path&, std::string_view) {
    std::unique_lock hold(disk_.mutex);
    ++disk_.writes;
    disk_.changed.notify_all();
    disk_.changed.wait(hold, [] { return disk_.answers; });
    --disk_.writes;
    disk_.changed.notify_all();
    return ok();
  }
  static void hang() {
    const std::lock_guard hold(disk_.mutex);
    disk_.answers = false;
  }
  static void answer_all() {
    std::unique_lock hold(disk_.mutex);
    disk_.answers = true;
    disk_.changed.notify_all();
    disk_.changed.wait(hold, [] { return disk_.writes == 0; });
  }

 private:
  struct Disk {
    std::mutex mutex;
    std::condition_variable changed;
    bool answers = false;
    int writes = 0;
  };
  // Never destroyed: a detached thread may use it while the program ends.
  static inline Disk& disk_ = *std::make_unique<Disk>().release();
};

// Regression: a halt call and its caller hung with the disk.
TEST(HaltLatch, HaltsAtOnceAndReportsHangingDisk) {
  const da::test::TempDir dir;
  const ManualClock clock;
  HangingDisk::hang();
  {
    auto latch = *HaltLatch::open(dir.path(), &HangingDisk::write);
    std::jthread watching([&] { EXPECT_TRUE(latch.wait_engaged(Milliseconds(10'000), std::stop_token())); });
    for (int i = 0; i < 20; ++i) {
      const MonoTime before = system_clock().now();
      const auto kept = latch.engage({"smoke", "ada"}, clock);
      ASSERT_FALSE(kept);
      EXPECT_THAT(kept.error().message, HasSubstr("the disk does not answer"));
      EXPECT_LT(system_clock().now() - before, HaltLatch::kDiskPatience + Milliseconds(500));
      EXPECT_TRUE(latch.engaged());
    }
    EXPECT_FALSE(latch.release());
    EXPECT_TRUE(latch.engaged());
  }
  HangingDisk::answer_all();
}

}  // namespace
}  // namespace da::service
