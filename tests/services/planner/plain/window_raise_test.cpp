#include "services/planner/plain/window_raise.h"

#include <gtest/gtest.h>

#include "services/planner/plain/language/goal_parser.h"

namespace da::planner::plain {
namespace {

class WindowRaiseTest : public testing::Test {
 protected:
  // The window lies in front of those that are added later.
  v1::Window& add(const std::string& id, const std::string& title, int x) {
    v1::Window& window = *seen_.add_windows();
    window.set_window_id(id);
    window.set_title(title);
    window.mutable_bounds()->set_x(x);
    window.mutable_bounds()->set_width(400);
    window.mutable_bounds()->set_height(300);
    return window;
  }

  std::optional<std::string> behind(std::string_view goal) {
    return window_behind(parse_goal(goal).value().front().command, seen_);
  }

  v1::Observation seen_;
};

TEST_F(WindowRaiseTest, TheNamedWindowIsBehindOneThatOverlapsIt) {
  add("1", "Mail", 200);
  add("2", "Orders of May", 0);
  for (const char* goal : {R"(click "OK" in "Orders")", R"(double-click "OK" in "Orders")", R"(hover "OK" in "Orders")",
                           R"(type "a" into "Name" in "Orders")", R"(select "Red" in list "Colour" in "Orders")",
                           R"(set "Volume" in "Orders" to 40)", R"(drag "A" in "Orders" to "B" in "Mail")",
                           R"(scroll down 3 at "A" in "Orders")"}) {
    EXPECT_EQ(behind(goal), "Orders of May") << goal;
  }
  EXPECT_EQ(behind(R"(click "OK" in "Mail")"), std::nullopt);
}

TEST_F(WindowRaiseTest, AWindowBesideTheOthersIsInReach) {
  add("1", "Mail", 400);
  add("2", "Orders", 0);
  EXPECT_EQ(behind(R"(click "OK" in "Orders")"), std::nullopt);
}

TEST_F(WindowRaiseTest, AMinimisedWindowCoversNothingAndIsBehind) {
  add("1", "Mail", 0).set_minimized(true);
  add("2", "Orders", 0);
  EXPECT_EQ(behind(R"(click "OK" in "Orders")"), std::nullopt);
  EXPECT_EQ(behind(R"(click "OK" in "Mail")"), "Mail");
}

TEST_F(WindowRaiseTest, NoWindowIsChosenAmongEqualOnes) {
  add("1", "Mail", 0);
  add("2", "Orders", 0);
  add("3", "Orders", 100);
  EXPECT_EQ(behind(R"(click "OK" in "Orders")"), std::nullopt);
}

TEST_F(WindowRaiseTest, ABlockedWindowStaysBehindItsDialog) {
  add("1", "Question", 0);
  add("2", "Orders", 0).set_blocked_by("1");
  EXPECT_EQ(behind(R"(click "OK" in "Orders")"), std::nullopt);
}

TEST_F(WindowRaiseTest, ASentenceWithoutAWindowRaisesNone) {
  add("1", "Mail", 0);
  add("2", "Orders", 0);
  EXPECT_EQ(behind(R"(click "OK")"), std::nullopt);
  EXPECT_EQ(behind("click at 5,6"), std::nullopt);
  EXPECT_EQ(behind("press enter"), std::nullopt);
  EXPECT_FALSE(names_window(parse_goal(R"(click "in Orders")").value().front().command));
}

}  // namespace
}  // namespace da::planner::plain
