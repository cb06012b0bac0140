#include "services/planner/tools/planner_tools.h"

#include <gtest/gtest.h>

#include <thread>

#include "lib/contract/catalogue.h"
#include "services/planner/plain/language/actions.h"
#include "services/planner/plain/language/goal_parser.h"
#include "tests/services/planner/fake_observer.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner {
namespace {

class PlannerToolsTest : public testing::Test {
 protected:
  Answer answer(std::string_view sentence) {
    const auto goal = plain::parse_goal(sentence).value();
    return answer_tool(plain::draft_action(goal.front().command), view_).value();
  }

  FakeWorld world_;
  FakeObserver observer_{world_};
  TaskCancel cancel_;
  TaskView view_{observer_, world_.clock, cancel_, "task", "token", world_.clock.now() + std::chrono::minutes(10)};
};

TEST_F(PlannerToolsTest, WaitsForTextUntilItShows) {
  world_.after(Milliseconds(25'000), [&] { world_.add({.id = "t", .name = "Done", .painted_only = true}); });
  EXPECT_FALSE(answer("wait for \"Done\" 20 seconds").ok);
  EXPECT_TRUE(answer("wait for \"Done\" 20 seconds").ok);
}

TEST_F(PlannerToolsTest, LookTellsTheChangesThatAWaitHasSeen) {
  observer_.changed_tiles = 2;
  int looks = 0;
  const auto twice = [&](const v1::Observation&) -> Result<bool> { return ++looks == 2; };
  EXPECT_TRUE(*view_.look_until(twice, Milliseconds(5'000)));
  observer_.changed_tiles = 1;
  EXPECT_EQ(view_.look(Picture::kUsual, Milliseconds(0))->changed_tiles(), 5U);
  EXPECT_EQ(view_.look(Picture::kUsual, Milliseconds(0))->changed_tiles(), 1U);
}

TEST_F(PlannerToolsTest, SaysThatATextDidNotShow) {
  const MonoTime begin = world_.clock.now();
  const Answer missing = answer("wait for \"Done\" 25 seconds");
  EXPECT_FALSE(missing.ok);
  EXPECT_NE(missing.message.find("\"Done\" is nowhere on the screen (waited 25 s)"), std::string::npos)
      << missing.message;
  EXPECT_EQ(world_.clock.now() - begin, Milliseconds(25'000));
}

TEST_F(PlannerToolsTest, VisibleCheckAcceptsSeveralMatches) {
  world_.add({.id = "a", .name = "OK"});
  world_.add({.id = "b", .name = "OK", .painted_only = true});
  EXPECT_TRUE(answer("check \"OK\" is visible").ok);
  EXPECT_FALSE(answer("check \"Cancel\" is visible").ok);
}

TEST_F(PlannerToolsTest, ChecksEnabledWithinItsTime) {
  FakeElement& button = world_.add({.id = "a", .role = "push button", .name = "Save", .enabled = false});
  const Answer no = answer("check \"Save\" is enabled");
  EXPECT_FALSE(no.ok);
  EXPECT_NE(no.message.find("not enabled"), std::string::npos) << no.message;
  world_.after(Milliseconds(9'000), [&] { button.enabled = true; });
  EXPECT_TRUE(answer("check \"Save\" is enabled").ok);
}

TEST_F(PlannerToolsTest, ChecksCheckedAndText) {
  FakeElement& box = world_.add({.id = "a", .role = "check box", .name = "Wrap"});
  FakeElement& field = world_.add({.id = "b", .role = "text", .name = "Name", .text = "x", .editable = true});
  const Answer unchecked = answer("check \"Wrap\" is checked");
  EXPECT_FALSE(unchecked.ok);
  EXPECT_NE(unchecked.message.find("is not checked"), std::string::npos) << unchecked.message;
  box.checked = true;
  EXPECT_TRUE(answer("check \"Wrap\" is checked").ok);
  const Answer other = answer("check \"Name\" has text \"y\"");
  EXPECT_NE(other.message.find("has the text \"x\", not \"y\""), std::string::npos) << other.message;
  world_.after(Milliseconds(2'000), [&] { field.text = "y"; });
  EXPECT_TRUE(answer("check \"Name\" has text \"y\"").ok);
}

TEST_F(PlannerToolsTest, TextCheckReadsTheNameOfALabel) {
  world_.add({.id = "a", .role = "label", .name = "Total: 3"});
  EXPECT_TRUE(answer("check \"Total\" has text \"Total: 3\"").ok);
}

TEST_F(PlannerToolsTest, ChecksThatAWindowIsOpen) {
  world_.after(Milliseconds(5'000), [&] { world_.open_window({"w", "Report"}); });
  EXPECT_TRUE(answer("check window \"report\" is open").ok);
  const Answer no = answer("check window \"Nowhere\" is open");
  EXPECT_FALSE(no.ok);
  EXPECT_NE(no.message.find("open: \"Report\""), std::string::npos) << no.message;
}

TEST_F(PlannerToolsTest, ChecksThatAnElementIsDisabledOrUnchecked) {
  FakeElement& box = world_.add({.id = "a", .role = "check box", .name = "Wrap"});
  EXPECT_TRUE(answer("check \"Wrap\" is unchecked").ok);
  const Answer enabled = answer("check \"Wrap\" is disabled");
  EXPECT_FALSE(enabled.ok);
  EXPECT_NE(enabled.message.find("is enabled"), std::string::npos) << enabled.message;
  box.checked = true;
  EXPECT_FALSE(answer("check \"Wrap\" is not checked").ok);
  world_.after(Milliseconds(2'000), [&] { box.enabled = false; });
  EXPECT_TRUE(answer("check \"Wrap\" is disabled").ok);
  EXPECT_FALSE(answer("check \"Nothing\" is disabled").ok);
}

TEST_F(PlannerToolsTest, ChecksThatAnElementIsNotVisible) {
  world_.add({.id = "a", .name = "Loading", .painted_only = true});
  const Answer shows = answer("check \"Loading\" is not visible");
  EXPECT_FALSE(shows.ok);
  EXPECT_NE(shows.message.find("\"Loading\" (text at 140,110) shows (waited 10 s)"), std::string::npos)
      << shows.message;
  world_.after(Milliseconds(2'000), [&] { world_.elements.clear(); });
  EXPECT_TRUE(answer("check \"Loading\" is not visible").ok);
}

TEST_F(PlannerToolsTest, IncompleteObservationDoesNotProveHidden) {
  observer_.incomplete = true;
  EXPECT_FALSE(answer("check \"Loading\" is not visible").ok);
}

TEST_F(PlannerToolsTest, ChecksThatAWindowIsClosed) {
  world_.open_window({"w", "Report"});
  EXPECT_FALSE(answer("check window \"report\" is closed").ok);
  world_.after(Milliseconds(1'000), [&] { world_.close_window("w"); });
  EXPECT_TRUE(answer("check window \"report\" is closed").ok);
}

TEST_F(PlannerToolsTest, ALostObserverIsAnErrorAndNotAFailedCheck) {
  observer_.lost = Error{Code::kUnavailable, "da-observer is gone"};
  for (const char* sentence :
       {"check \"a\" is visible", "check \"a\" is enabled", "check \"a\" is checked", "check window \"a\" is open",
        "wait for \"a\"", "check \"a\" is not visible", "check window \"a\" is closed", "check \"a\" is disabled"}) {
    const auto goal = plain::parse_goal(sentence).value();
    const auto answer = answer_tool(plain::draft_action(goal.front().command), view_);
    ASSERT_FALSE(answer) << sentence;
    EXPECT_EQ(answer.error().code, Code::kUnavailable);
  }
}

TEST_F(PlannerToolsTest, SleepLastsItsDuration) {
  TaskView view(observer_, system_clock(), cancel_, "task", "token", system_clock().now() + std::chrono::minutes(1));
  const MonoTime begin = system_clock().now();
  EXPECT_TRUE(answer_tool(plain::sleep(0.02), view)->ok);
  EXPECT_GE(system_clock().now() - begin, Milliseconds(20));
}

TEST_F(PlannerToolsTest, ASleepEndsWhenTheTaskIsCancelled) {
  TaskView view(observer_, system_clock(), cancel_, "task", "token", system_clock().now() + std::chrono::minutes(1));
  std::thread other([&] { cancel_.cancel("enough"); });
  const auto answer = answer_tool(plain::sleep(5), view);
  other.join();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::kCancelled);
}

TEST(PlannerTools, TheCatalogueSaysWhichToolsAreThePlanners) {
  EXPECT_TRUE(is_planner_tool(plain::sleep(1)));
  EXPECT_FALSE(is_planner_tool(plain::write("x")));
  EXPECT_FALSE(is_planner_tool(v1::Action()));
}

}  // namespace
}  // namespace da::planner
