#include "lib/service/stopping/stop_latch.h"

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

TEST(StopLatch, HaltSurvivesARestartUntilItEnds) {
  const da::test::TempDir dir;
  const ManualClock clock;
  {
    auto latch = StopLatch::open(dir.path());
    ASSERT_TRUE(latch) << latch.error().message;
    EXPECT_FALSE(latch->halted());
    ASSERT_TRUE(latch->halt("smoke", "ada", clock));
    EXPECT_EQ(latch->halted()->reason, "smoke");
  }
  auto again = StopLatch::open(dir.path());
  ASSERT_TRUE(again->halted());
  EXPECT_THAT(again->halted()->reason, HasSubstr("smoke (by ada"));
  ASSERT_TRUE(again->end_halt(again->count()));
  EXPECT_FALSE(again->halted());
  EXPECT_FALSE(StopLatch::open(dir.path())->halted());
}

// Regression: a halt during a resume was lost in memory but written to disk.
TEST(StopLatch, MemoryAndDiskAgreeIfAHaltRacesAResume) {
  const da::test::TempDir dir;
  const ManualClock clock;
  auto latch = StopLatch::open(dir.path());
  ASSERT_TRUE(latch);
  for (int round = 0; round < 300; ++round) {
    std::thread halting([&] { EXPECT_TRUE(latch->halt("stop", "ada", clock)); });
    static_cast<void>(latch->end_halt(latch->count()));
    halting.join();
    ASSERT_EQ(latch->halted().has_value(), std::filesystem::exists(dir.path() / "halted")) << round;
  }
}

TEST(StopLatch, ResumeKeepsAHaltThatCameAfterItBegan) {
  const da::test::TempDir dir;
  const ManualClock clock;
  auto latch = StopLatch::open(dir.path());
  ASSERT_TRUE(latch->halt("first", "ada", clock));
  const auto begun = latch->count();
  ASSERT_TRUE(latch->halt("second", "bob", clock));
  EXPECT_EQ(latch->end_halt(begun).error().code, Code::kAborted);
  EXPECT_EQ(latch->halted()->by, "bob");
  EXPECT_THAT(StopLatch::open(dir.path())->halted()->reason, HasSubstr("second (by bob"));
  ASSERT_TRUE(latch->end_halt(latch->count()));
  EXPECT_FALSE(latch->halted());
}

TEST(StopLatch, HaltsInMemoryBeforeTheDiskWrite) {
  const da::test::TempDir dir;
  const ManualClock clock;
  auto latch = StopLatch::open(dir.path());
  latch->halt_in_memory("smoke", "ada");
  EXPECT_TRUE(latch->halted());
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "halted"));
  ASSERT_TRUE(latch->write_down(clock));
  EXPECT_THAT(StopLatch::open(dir.path())->halted()->reason, HasSubstr("smoke (by ada"));
}

TEST(StopLatch, HaltThatEndsBeforeTheDiskWriteLeavesNoFile) {
  const da::test::TempDir dir;
  const ManualClock clock;
  auto latch = StopLatch::open(dir.path());
  latch->halt_in_memory("smoke", "ada");
  ASSERT_TRUE(latch->end_halt(latch->count()));
  ASSERT_TRUE(latch->write_down(clock));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "halted"));
}

TEST(StopLatch, UnreadableFileCountsAsHalted) {
  const da::test::TempDir dir;
  std::filesystem::create_directory(dir.path() / "halted");
  EXPECT_TRUE(StopLatch::open(dir.path())->halted());
}

TEST(StopLatch, HaltsEvenIfDiskWriteFails) {
  const ManualClock clock;
  auto dir = std::make_unique<da::test::TempDir>();
  auto latch = StopLatch::open(dir->path());
  dir.reset();
  EXPECT_FALSE(latch->halt("smoke", "ada", clock));
  EXPECT_TRUE(latch->halted());
}

TEST(StopLatch, WaiterIsNotifiedOfTheEndOfAPause) {
  const da::test::TempDir dir;
  auto latch = StopLatch::open(dir.path());
  EXPECT_FALSE(latch->wait_not_paused(Milliseconds(60'000), {})) << "at once while nothing is paused";
  v1::Pause pause;
  pause.set_cause(v1::Pause::CAUSE_CONSOLE);
  ASSERT_TRUE(latch->pause(pause, "ada"));
  EXPECT_TRUE(latch->wait_not_paused(Milliseconds(1), {}));
  std::thread resuming([&] { EXPECT_TRUE(*latch->end_pause(latch->count())); });
  EXPECT_FALSE(latch->wait_not_paused(Milliseconds(60'000), {}));
  resuming.join();
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
TEST(StopLatch, HaltsAtOnceAndReportsHangingDisk) {
  const da::test::TempDir dir;
  const ManualClock clock;
  HangingDisk::hang();
  {
    auto latch = *StopLatch::open(dir.path(), &HangingDisk::write);
    std::jthread watching([&] { EXPECT_TRUE(latch.wait_halted(Milliseconds(10'000), std::stop_token())); });
    for (int i = 0; i < 20; ++i) {
      const MonoTime before = system_clock().now();
      const auto kept = latch.halt("smoke", "ada", clock);
      ASSERT_FALSE(kept);
      EXPECT_THAT(kept.error().message, HasSubstr("the disk does not answer"));
      EXPECT_LT(system_clock().now() - before, StopLatch::kDiskPatience + Milliseconds(500));
      EXPECT_TRUE(latch.halted());
    }
    EXPECT_FALSE(latch.end_halt(latch.count()));
    EXPECT_TRUE(latch.halted());
  }
  HangingDisk::answer_all();
}

}  // namespace
}  // namespace da::service
