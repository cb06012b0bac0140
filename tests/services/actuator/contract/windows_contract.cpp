#include <gmock/gmock.h>

#include <algorithm>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class WindowsContract : public ContractTest {
 protected:
  std::vector<std::string> titles() {
    std::vector<std::string> found;
    const auto list = windows_.list();
    if (!list) return found;
    for (const WindowInfo& window : *list) found.push_back(window.title);
    return found;
  }
  bool is_open(const std::string& title) { return std::ranges::count(titles(), title) > 0; }

  Windows& windows_ = desktop_.windows();
};

TEST_F(WindowsContract, ListIsFrontToBackWithTheFocusAndTheProgram) {
  const Target second = stage_->open_target("Second");
  EXPECT_THAT(titles(), testing::ElementsAre("Second", "Target"));
  const auto list = windows_.list();
  ASSERT_DONE(list);
  EXPECT_TRUE(list->at(0).focused);
  EXPECT_FALSE(list->at(1).focused);
  EXPECT_NE(list->at(0).pid, list->at(1).pid);
  for (const WindowInfo& window : *list) {
    EXPECT_TRUE(window.owner_is_known());
    EXPECT_NE(window.process_start, 0U);
    EXPECT_FALSE(window.minimized);
    EXPECT_GT(window.bounds.area(), 0);
  }
  ASSERT_DONE(windows_.foreground());
  EXPECT_EQ(windows_.foreground().value()->id, second.window.id);
}

TEST_F(WindowsContract, FocusBringsAWindowToTheFront) {
  stage_->open_target("Second");
  ASSERT_DONE(windows_.focus(target_.window.id, stage_->deadline()));
  EXPECT_EQ(windows_.foreground().value()->id, target_.window.id);
  EXPECT_EQ(titles().front(), "Target");
}

TEST_F(WindowsContract, TopmostWindowIsFoundAtAPoint) {
  const auto found = windows_.window_at(target_.pad.center());
  ASSERT_DONE(found);
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->id, target_.window.id);
  const Rect desktop = desktop_.screen().layout()->desktop;
  const auto outside = windows_.window_at({desktop.x + desktop.width - 1, desktop.y + desktop.height - 1});
  ASSERT_DONE(outside);
  EXPECT_FALSE(outside->has_value());
}

TEST_F(WindowsContract, ClosedWindowIsGone) {
  ASSERT_DONE(windows_.close(target_.window.id));
  EXPECT_TRUE(stage_->eventually([&] { return !is_open("Target"); }));
  EXPECT_TRUE(stage_->eventually([&] {
    const auto again = windows_.close(target_.window.id);
    return !again && again.error().code == Code::kNotFound;
  }));
  EXPECT_EQ(windows_.focus(target_.window.id, stage_->deadline()).error().code, Code::kNotFound);
}

TEST_F(WindowsContract, OnlyTheProcessWithThatStartTimeIsTerminated) {
  const WindowInfo& window = target_.window;
  EXPECT_EQ(windows_.terminate(window.pid, window.process_start + 1, go_on, stage_->deadline()).error().code,
            Code::kNotFound);
  EXPECT_TRUE(is_open("Target"));
  ASSERT_DONE(windows_.terminate(window.pid, window.process_start, go_on, stage_->deadline()));
  EXPECT_TRUE(stage_->eventually([&] { return !is_open("Target"); }));
}

TEST_F(WindowsContract, SessionOfTheTestTakesInput) {
  const auto obstacle = desktop_.session().obstacle();
  ASSERT_DONE(obstacle);
  EXPECT_FALSE(obstacle->has_value()) << (*obstacle)->reason;
}

TEST_F(WindowsContract, UnknownProgramCannotBeResolved) {
  const auto plan = desktop_.applications().resolve("no-such-program-here --flag");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Code::kNotFound);
}

}  // namespace
}  // namespace da::actuator::contract
