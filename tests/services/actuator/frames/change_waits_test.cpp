#include "services/actuator/frames/change_waits.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "services/actuator/desktop/fake/fake_desktop.h"

namespace da::actuator {
namespace {

using Look = ChangeWaits::Look;

// On the real clock, because the fake desktop's watch waits by it.
class ChangeWaitsTest : public testing::Test {
 protected:
  ChangeWaitsTest() {
    top_ = world_->open_window("Top", "/usr/bin/top", {0, 0, 300, 200});
    bottom_ = world_->open_window("Bottom", "/usr/bin/bottom", {0, 400, 300, 200});
  }

  // Something else than the last time.
  void draw(const std::string& window) {
    world_->change([&](std::list<fake::FakeWindow>& windows) {
      for (fake::FakeWindow& one : windows) {
        if (one.id != window) continue;
        const Rect bounds{one.bounds.x + 10, one.bounds.y + 50, 200, 20};
        one.elements = {{.id = "text",
                         .role = "text",
                         .text = std::string(++drawn_ % 10, 'x'),
                         .bounds = bounds,
                         .editable = true}};
      }
    });
  }

  ChangeWaits::Wait wait_for(const Rect& area, Milliseconds most, std::stop_token stop = {}) {
    return {.areas = {area}, .windows = false, .deadline = system_clock().now() + most, .stop = std::move(stop)};
  }

  static constexpr Rect kTop{0, 0, 300, 200};
  static constexpr Milliseconds kLong{20'000};
  static constexpr Milliseconds kShort{50};

  std::shared_ptr<fake::FakeWorld> world_ = std::make_shared<fake::FakeWorld>();
  std::unique_ptr<Desktop> desktop_ = open_fake_desktop(world_);
  ChangeWaits waits_{desktop_->screen(), system_clock()};
  std::string top_;
  std::string bottom_;
  std::size_t drawn_ = 0;
  std::vector<Look> looks_;
  const ChangeWaits::HasChanged never_ = [this](Look look) -> Result<bool> {
    looks_.push_back(look);
    return false;
  };
};

TEST_F(ChangeWaitsTest, UnchangedScreenIsComparedAtBeginAndEndOnly) {
  const auto changed = waits_.wait(wait_for(kTop, kShort), never_);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_FALSE(*changed);
  EXPECT_EQ(looks_, (std::vector{Look::kFirst, Look::kLast}));
}

TEST_F(ChangeWaitsTest, OldFrameEndsTheWaitAtOnce) {
  const auto changed = waits_.wait(wait_for(kTop, kLong), [](Look) -> Result<bool> { return true; });
  ASSERT_TRUE(changed);
  EXPECT_TRUE(*changed);
}

// The race: the frame was compared, and the screen changes before the thread begins to wait.
TEST_F(ChangeWaitsTest, ChangeBetweenTheFirstLookAndTheWaitIsNotLost) {
  for (int i = 0; i < 100; ++i) {
    const auto changed = waits_.wait(wait_for(kTop, kLong), [&](Look look) -> Result<bool> {
      EXPECT_EQ(look, Look::kFirst) << "the wait must not last until its deadline";
      draw(top_);
      return false;
    });
    ASSERT_TRUE(changed);
    EXPECT_TRUE(*changed);
  }
}

TEST_F(ChangeWaitsTest, DrawingDuringTheWaitEndsIt) {
  std::jthread other;
  const auto changed = waits_.wait(wait_for(kTop, kLong), [&](Look look) -> Result<bool> {
    EXPECT_EQ(look, Look::kFirst);
    other = std::jthread([this] { draw(top_); });
    return false;
  });
  ASSERT_TRUE(changed);
  EXPECT_TRUE(*changed);
}

TEST_F(ChangeWaitsTest, DrawingElsewhereDoesNotEndTheWait) {
  const auto changed = waits_.wait(wait_for(kTop, kShort), [&](Look look) -> Result<bool> {
    looks_.push_back(look);
    if (look == Look::kFirst) draw(bottom_);
    return false;
  });
  ASSERT_TRUE(changed);
  EXPECT_FALSE(*changed);
  EXPECT_EQ(looks_, (std::vector{Look::kFirst, Look::kLast}));
}

TEST_F(ChangeWaitsTest, DrawingElsewhereIsALookAtTheWindowsIfTheyCount) {
  ChangeWaits::Wait wait = wait_for(kTop, kLong);
  wait.windows = true;
  const auto changed = waits_.wait(wait, [&](Look look) -> Result<bool> {
    looks_.push_back(look);
    draw(bottom_);
    return look == Look::kLater;
  });
  ASSERT_TRUE(changed);
  EXPECT_TRUE(*changed);
  EXPECT_EQ(looks_, (std::vector{Look::kFirst, Look::kLater}));
}

TEST_F(ChangeWaitsTest, LooksAtTheWindowsAreBoundedWhileSomethingKeepsDrawing) {
  ChangeWaits::Wait wait = wait_for(kTop, Milliseconds(250));
  wait.windows = true;
  std::jthread video([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) draw(bottom_);
  });
  const auto begun = std::chrono::steady_clock::now();
  const auto changed = waits_.wait(wait, never_);
  const auto took = std::chrono::steady_clock::now() - begun;  // Longer than asked for on a busy machine.
  ASSERT_TRUE(changed);
  EXPECT_FALSE(*changed);
  EXPECT_LE(looks_.size(), 3U + took / Milliseconds(100)) << "first, at 0, 100, 200, ... ms, last";
}

TEST_F(ChangeWaitsTest, WindowsAreComparedNowAndThenThoughNothingIsDrawn) {
  ChangeWaits::Wait wait = wait_for(kTop, kLong);
  wait.windows = true;
  const auto changed = waits_.wait(wait, [&](Look look) -> Result<bool> {
    looks_.push_back(look);
    return looks_.size() == 3;
  });
  ASSERT_TRUE(changed);
  EXPECT_TRUE(*changed);
  EXPECT_EQ(looks_, (std::vector{Look::kFirst, Look::kLater, Look::kLater}));
}

TEST_F(ChangeWaitsTest, StopEndsTheWait) {
  std::stop_source stop;
  std::jthread other;
  const auto changed = waits_.wait(wait_for(kTop, kLong, stop.get_token()), [&](Look look) -> Result<bool> {
    EXPECT_EQ(look, Look::kFirst);
    other = std::jthread([&stop] { stop.request_stop(); });
    return false;
  });
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, Code::kCancelled);
}

TEST_F(ChangeWaitsTest, ErrorOfTheLookIsTheResult) {
  const auto changed = waits_.wait(wait_for(kTop, kLong), [](Look) -> Result<bool> {
    return Error{Code::kUnavailable, "gone"};
  });
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().message, "gone");
}

TEST_F(ChangeWaitsTest, MoreThanEightWaitsAreRefusedAndEndedOnesMakeRoom) {
  std::stop_source stop;
  std::atomic<int> waiting = 0;
  {
    std::vector<std::jthread> others;
    for (int i = 0; i < ChangeWaits::kMostWaits; ++i) {
      others.emplace_back([&] {
        const auto ended = waits_.wait(wait_for(kTop, kLong, stop.get_token()), [&](Look) -> Result<bool> {
          ++waiting;
          return false;
        });
        EXPECT_EQ(ended.error().code, Code::kCancelled);
      });
    }
    while (waiting < ChangeWaits::kMostWaits) std::this_thread::yield();
    const auto refused = waits_.wait(wait_for(kTop, kShort), never_);
    stop.request_stop();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::kResourceExhausted);
  }
  EXPECT_TRUE(waits_.wait(wait_for(kTop, kShort), never_));
}

}  // namespace
}  // namespace da::actuator
