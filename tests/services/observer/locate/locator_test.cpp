#include "services/observer/locate/locator.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/services/observer/locate/locator_fixture.h"

namespace da::observer {
namespace {

using testing::HasSubstr;

void hide(v1::UiNode& node) {
  auto& states = *node.mutable_states();
  states.erase(std::remove(states.begin(), states.end(), v1::UI_STATE_SHOWING), states.end());
}

TEST_F(LocatorTest, ScrolledOutElementIsClickableButNotVisible) {
  auto* row = source_.tree.add_nodes();
  *row = element("table cell", "row 30", {10, 900, 80, 30}, {v1::UI_STATE_ENABLED, v1::UI_STATE_SCROLLED_OUT});
  hide(*row);
  const auto clicked = locate("row 30", v1::ACTIONABLE_ENABLED, 0);
  ASSERT_TRUE(clicked);
  EXPECT_EQ(clicked->missing(), "");
  EXPECT_EQ(clicked->candidates(0).node().name(), "row 30");
  const auto seen = locate("row 30", v1::ACTIONABLE_UNSPECIFIED, 0);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->candidates_size(), 0);
}

TEST_F(LocatorTest, VisibleElementBeatsScrolledOutOne) {
  auto* below = source_.tree.add_nodes();
  *below = element("push button", "Save", {10, 900, 80, 30}, {v1::UI_STATE_ENABLED, v1::UI_STATE_SCROLLED_OUT});
  hide(*below);
  *source_.tree.add_nodes() = element("menu item", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 0);
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->ambiguous());
  EXPECT_EQ(reply->candidates(0).node().role(), "menu item");
}

TEST_F(LocatorTest, TimeoutReportsTheMissingCondition) {
  *source_.tree.add_nodes() = element("push button", "Save", {10, 10, 80, 30});
  const auto begun = clock_.now();
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 2'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "shows, but is not enabled");
  EXPECT_EQ(reply->candidates_size(), 1);
  EXPECT_GE(clock_.now() - begun, Milliseconds(2'000));
  EXPECT_LT(clock_.now() - begun, Milliseconds(2'500));
}

TEST_F(LocatorTest, AbsentAndHiddenTargetsAreDistinguished) {
  source_.tree.set_note("no accessibility bus");
  EXPECT_THAT(locate("Save", v1::ACTIONABLE_ENABLED, 0)->missing(), HasSubstr("nowhere on the screen (no accessib"));
  *source_.tree.add_nodes() = element("push button", "Save", {3000, 10, 80, 30});
  EXPECT_THAT(locate("Save", v1::ACTIONABLE_ENABLED, 0)->missing(), HasSubstr("does not show"));
}

TEST_F(LocatorTest, TimeoutNamesTheWindowThatCoversTheTarget) {
  *source_.tree.add_nodes() = element("push button", "Agree", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  *source_.tree.add_nodes() = element("text", "Name", {10, 60, 80, 30}, {v1::UI_STATE_ENABLED, v1::UI_STATE_EDITABLE});
  source_.windows.insert(source_.windows.begin(), window("Cover", {0, 0, 200, 200}, false));
  for (const auto actionable : {v1::ACTIONABLE_UNSPECIFIED, v1::ACTIONABLE_ENABLED, v1::ACTIONABLE_EDITABLE}) {
    const auto begun = clock_.now();
    const auto reply = locate(actionable == v1::ACTIONABLE_EDITABLE ? "Name" : "Agree", actionable, 2'000);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->missing(), "is covered by the window \"Cover\"") << actionable;
    EXPECT_GE(clock_.now() - begun, Milliseconds(2'000));
  }
  source_.changes.push_back([] {});
  source_.changes.push_back([this] { source_.windows.erase(source_.windows.begin()); });
  EXPECT_EQ(locate("Agree", v1::ACTIONABLE_ENABLED, 10'000)->missing(), "");
  EXPECT_EQ(locate("Agree", v1::ACTIONABLE_UNSPECIFIED, 0)->missing(), "");
}

TEST_F(LocatorTest, EqualMatchesAreAmbiguousAndBothAreReturned) {
  *source_.tree.add_nodes() = element("push button", "OK", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  *source_.tree.add_nodes() = element("push button", "OK", {210, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  const auto reply = locate("OK", v1::ACTIONABLE_ENABLED, 1'000);
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->ambiguous());
  EXPECT_EQ(reply->candidates_size(), 2);
}

TEST_F(LocatorTest, PoorMatchWaitsForABetterOne) {
  *source_.tree.add_nodes() = element("push button", "Save As", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  for (int i = 0; i < 2; ++i) source_.changes.push_back([] {});
  source_.changes.push_back([this] {
    *source_.tree.add_nodes() = element("push button", "Save", {210, 10, 80, 30}, {v1::UI_STATE_ENABLED});
    source_.settled = true;
  });
  source_.settled = false;
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->candidates(0).node().name(), "Save");
}

TEST_F(LocatorTest, PoorMatchIsAcceptedOnceTheScreenIsQuiet) {
  *source_.tree.add_nodes() = element("push button", "Save As", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  EXPECT_LE(source_.requests.size(), 3u);
}

// The window "Board" draws its buttons itself.
TEST_F(LocatorTest, LongerNameIsAmbiguousWhileAnotherWindowDrawsTheWantedOne) {
  OcrLine line;
  line.words.push_back({"Save", {420, 100, 40, 12}, 0.9});
  line.bounds = {420, 100, 40, 12};
  written_ = {line};
  for (int x : {10, 110, 210}) {
    const std::string name = x == 10 ? "Save As" : "Open";
    *source_.tree.add_nodes() = element("push button", name, {x, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  }
  ASSERT_EQ(locate("Save", v1::ACTIONABLE_ENABLED, 5'000, true)->ambiguous(), false);
  source_.windows.insert(source_.windows.begin(), window("w2", {300, 0, 240, 400}, false));
  source_.windows.front().set_title("Board");
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 5'000, true);
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->ambiguous()) << reply->DebugString();
  EXPECT_EQ(reply->candidates(1).phrase(), "\"Save\" in \"Board\"");
  EXPECT_FALSE(locate("Save As", v1::ACTIONABLE_ENABLED, 5'000, true)->ambiguous());
}

TEST_F(LocatorTest, CancelledOrStoppedWaitEndsAtTheNextLook) {
  cancel_.request_stop();
  EXPECT_EQ(locate("Save", v1::ACTIONABLE_ENABLED, 10'000).error().code, Code::kCancelled);
  cancel_ = {};
  stop_.request_stop();
  EXPECT_EQ(locate("Save", v1::ACTIONABLE_ENABLED, 10'000).error().code, Code::kCancelled);
}

TEST_F(LocatorTest, TreeTimeoutIsRetried) {
  source_.tree_error = {Code::kDeadlineExceeded, "slow"};
  *source_.tree.add_nodes() = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  source_.changes.push_back([] {});
  source_.changes.push_back([this] { source_.tree_error.message.clear(); });
  EXPECT_EQ(locate("Save", v1::ACTIONABLE_ENABLED, 10'000)->missing(), "");
}

TEST_F(LocatorTest, LostActuatorIsAnError) {
  source_.tree_error = {Code::kUnavailable, "da-actuator is gone"};
  EXPECT_EQ(locate("Save", v1::ACTIONABLE_ENABLED, 10'000).error().code, Code::kUnavailable);
}

TEST_F(LocatorTest, EmptyTargetIsInvalid) {
  EXPECT_EQ(locate("  ", v1::ACTIONABLE_ENABLED, 0).error().code, Code::kInvalidArgument);
}

// Bug: a button of "Letters - Archive" was clicked, because "Letters" is a part of its title.
TEST_F(LocatorTest, WindowOfJustTheTitleIsMeantWhereOneIsOpen) {
  source_.windows = {window("archive", {-100, 0, 320, 480}, true), window("letters", {220, 0, 320, 480}, false)};
  source_.windows[0].set_title("Letters - Archive");
  source_.windows[1].set_title("letters");
  v1::UiNode* const button = source_.tree.add_nodes();
  *button = element("push button", "Beta", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  button->set_window_id("archive");
  v1::LocateRequest request;
  request.set_target("Beta");
  request.set_window("Letters");
  request.set_actionable(v1::ACTIONABLE_ENABLED);
  const auto reply = locator_.locate(request, cancel_.get_token());
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->missing(), HasSubstr("is not in that window, but shows elsewhere"));
  source_.windows.pop_back();
  const auto part = locator_.locate(request, cancel_.get_token());
  ASSERT_TRUE(part);
  EXPECT_EQ(part->missing(), "");
}

}  // namespace
}  // namespace da::observer
