// How a search waits until its target rests, shows and can be used.
#include "tests/services/observer/locate/locator_fixture.h"

namespace da::observer {
namespace {

TEST_F(LocatorTest, ElementAtRestIsReturnedAfterTwoLooks) {
  *source_.tree.add_nodes() = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  EXPECT_EQ(reply->candidates(0).node().name(), "Save");
  EXPECT_EQ(source_.tree_requests.size(), 1u);
  EXPECT_EQ(source_.element_requests.size(), 1u);  // The second look reads only the element.
  EXPECT_EQ(reply->frame_id(), frames_.store().known_frame_id());
}

TEST_F(LocatorTest, ElementSeenByTheLastSearchNeedsOneLook) {
  *source_.tree.add_nodes() = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  *source_.tree.add_nodes() = element("push button", "Print", {100, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  ASSERT_TRUE(locate("Save", v1::ACTIONABLE_ENABLED, 10'000));
  clock_.advance(Milliseconds(100));
  source_.tree_requests.clear();
  source_.element_requests.clear();
  const auto reply = locate("Print", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  EXPECT_EQ(source_.tree_requests.size(), 1u);
  EXPECT_TRUE(source_.element_requests.empty());
}

TEST_F(LocatorTest, ElementThatMovedSinceTheLastSearchNeedsTwoLooks) {
  *source_.tree.add_nodes() = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  ASSERT_TRUE(locate("Save", v1::ACTIONABLE_ENABLED, 10'000));
  clock_.advance(Milliseconds(100));
  source_.tree.mutable_nodes(0)->mutable_bounds()->set_y(40);
  source_.element_requests.clear();
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->candidates(0).bounds().y(), 40);
  EXPECT_EQ(source_.element_requests.size(), 1u);
}

TEST_F(LocatorTest, SearchesAtOnceDoNotCountAsTwoLooks) {
  *source_.tree.add_nodes() = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  ASSERT_TRUE(locate("Print", v1::ACTIONABLE_ENABLED, 0));
  source_.element_requests.clear();
  ASSERT_TRUE(locate("Save", v1::ACTIONABLE_ENABLED, 10'000));
  EXPECT_EQ(source_.element_requests.size(), 1u);
}

TEST_F(LocatorTest, ElementGoneAtTheSecondLookIsSearchedInTheWholeTree) {
  auto* button = source_.tree.add_nodes();
  *button = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  source_.changes.push_back([] {});
  source_.changes.push_back([=] {
    button->set_element_id("another");
    button->mutable_bounds()->set_y(200);
  });
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  EXPECT_EQ(reply->candidates(0).node().element_id(), "another");
  EXPECT_EQ(reply->candidates(0).bounds().y(), 200);
  EXPECT_EQ(source_.tree_requests.size(), 2u);
}

// Bug: "Save" was clicked in the window below a dialog that was about to open, and the dialog got the click.
TEST_F(LocatorTest, MatchIsCheckedAgainWhileAWindowIsOpening) {
  auto* button = source_.tree.add_nodes();
  *button = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  source_.tree.set_opening(true);
  for (int i = 0; i < 3; ++i) source_.changes.push_back([] {});
  source_.changes.push_back([=, this] {
    source_.tree.set_opening(false);
    button->set_element_id("in the dialog");
  });
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  EXPECT_EQ(reply->candidates(0).node().element_id(), "in the dialog");
}

TEST_F(LocatorTest, WindowThatNeverOpensDelaysOnlyBriefly) {
  *source_.tree.add_nodes() = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  source_.tree.set_opening(true);
  const MonoTime begun = clock_.now();
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  EXPECT_LT(clock_.now() - begun, Milliseconds(2'000));
}

TEST_F(LocatorTest, AllElementsAreReadAgainIfAWindowOpensBetweenLooks) {
  *source_.tree.add_nodes() = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  source_.changes.push_back([] {});
  source_.changes.push_back([this] { source_.windows.push_back(window("w2", {400, 400, 100, 100}, false)); });
  ASSERT_TRUE(locate("Save", v1::ACTIONABLE_ENABLED, 10'000));
  EXPECT_EQ(source_.tree_requests.size(), 2u);
  EXPECT_TRUE(source_.element_requests.empty());
}

// A dialog that opens in the meantime may have another element of that name.
TEST_F(LocatorTest, UnusableElementIsNotReadAloneForever) {
  auto* button = source_.tree.add_nodes();
  *button = element("push button", "Save", {10, 10, 80, 30});
  for (int i = 0; i < 3; ++i) source_.changes.push_back([] {});
  source_.changes.push_back([this] {
    *source_.tree.add_nodes() = element("push button", "Save", {10, 200, 80, 30}, {v1::UI_STATE_ENABLED});
    source_.tree.mutable_nodes(1)->set_element_id("in the dialog");
  });
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  EXPECT_EQ(reply->candidates(0).node().element_id(), "in the dialog");
}

// A slow application: a second element of that name has come since all were read.
TEST_F(LocatorTest, OldElementsAreAllReadAgain) {
  *source_.tree.add_nodes() = element("push button", "Delete", {10, 10, 80, 30});
  source_.changes.push_back([] {});
  source_.changes.push_back([this] { clock_.advance(Milliseconds(500)); });
  source_.changes.push_back([this] {
    source_.tree.mutable_nodes(0)->add_states(kEnabled);
    *source_.tree.add_nodes() = element("push button", "Delete", {10, 60, 80, 30}, {kEnabled});
    source_.tree.mutable_nodes(1)->set_element_id("another");
  });
  const auto reply = locate("Delete", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->ambiguous());
}

// Bug: text that was scrolling out of the page was reported as visible.
TEST_F(LocatorTest, VisibleTargetMustShowTwiceAtTheSamePlace) {
  auto* label = source_.tree.add_nodes();
  *label = element("label", "Done", {10, 10, 80, 30});
  source_.changes.push_back([] {});
  source_.changes.push_back([=] { label->mutable_bounds()->set_y(40); });
  source_.changes.push_back([=] { label->clear_states(); });
  const auto reply = locate("Done", v1::ACTIONABLE_UNSPECIFIED, 0);
  ASSERT_TRUE(reply);
  EXPECT_NE(reply->missing(), "");
}

// Bug: a label that was moving was reported as hidden.
TEST_F(LocatorTest, TargetThatMovesMayShow) {
  auto* label = source_.tree.add_nodes();
  *label = element("label", "Loading", {10, 10, 80, 30});
  for (int i = 0; i < 8; ++i) source_.changes.push_back([=] { label->mutable_bounds()->set_width(90 + i); });
  const auto reply = locate("Loading", v1::ACTIONABLE_UNSPECIFIED, 0);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "shows, but is still moving");
  EXPECT_TRUE(reply->incomplete());
}

TEST_F(LocatorTest, VisibleTargetNeedsOnlyTwoLooks) {
  *source_.tree.add_nodes() = element("label", "Done", {10, 10, 80, 30});
  const auto reply = locate("Done", v1::ACTIONABLE_UNSPECIFIED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  EXPECT_EQ(source_.tree_requests.size() + source_.element_requests.size(), 2u);
}

// Bug: Qt creates new objects for tree rows at each look, so they were "still moving" forever.
TEST_F(LocatorTest, RowWithANewIdAtEachLookIsAtRestIfItStaysInPlace) {
  auto* row = source_.tree.add_nodes();
  *row = element("table cell", "file12.txt", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED, v1::UI_STATE_TRANSIENT});
  for (int i = 0; i < 8; ++i) source_.changes.push_back([=] { row->set_element_id("cell " + std::to_string(i)); });
  const auto reply = locate("file12.txt", v1::ACTIONABLE_ENABLED, 0);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
}

TEST_F(LocatorTest, ReplacedElementIsNotAtRest) {
  auto* button = source_.tree.add_nodes();
  *button = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  for (int i = 0; i < 8; ++i) source_.changes.push_back([=] { button->set_element_id("button " + std::to_string(i)); });
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 0);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "shows, but is still moving");
}

TEST_F(LocatorTest, ButtonThatBecomesEnabledWithoutDamageIsWaitedFor) {
  auto* button = source_.tree.add_nodes();
  *button = element("push button", "Save", {10, 10, 80, 30});
  for (int i = 0; i < 5; ++i) source_.changes.push_back([] {});
  source_.changes.push_back([=] { button->add_states(v1::UI_STATE_ENABLED); });
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  for (const auto& request : source_.requests) EXPECT_LE(request.max_wait_ms(), 200u);
}

TEST_F(LocatorTest, MovingElementIsWaitedForUntilItRests) {
  auto* button = source_.tree.add_nodes();
  *button = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  for (int i = 0; i < 6; ++i) {
    source_.changes.push_back([=] { button->mutable_bounds()->set_x(button->bounds().x() + 5); });
  }
  const auto reply = locate("Save", v1::ACTIONABLE_ENABLED, 10'000);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  EXPECT_EQ(reply->candidates(0).bounds().x(), 40);
}

}  // namespace
}  // namespace da::observer
