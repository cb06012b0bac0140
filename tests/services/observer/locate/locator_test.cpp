#include "services/observer/locate/locator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class LocatorTest : public testing::Test {
 protected:
  Result<v1::LocateReply> locate(const std::string& target, v1::Actionable actionable, std::uint32_t max_wait_ms,
                                 bool use_ocr = false) {
    v1::LocateRequest request;
    request.set_task_id("t1");
    request.set_target(target);
    request.set_actionable(actionable);
    request.set_max_wait_ms(max_wait_ms);
    request.set_use_ocr(use_ocr);
    return locator_.locate(request, cancel_.get_token());
  }

  ManualClock clock_;
  FakeSource source_{{-100, 0, 640, 480}, clock_};
  FrameCache frames_{source_};
  std::stop_source stop_;
  std::stop_source cancel_;
  std::vector<Rect> reads_;
  std::vector<OcrLine> written_;
  Locator locator_{
      frames_,
      [this](const frames::PixelView&, const Rect& area, std::span<const Rect>) -> Result<std::vector<OcrLine>> {
        reads_.push_back(area);
        return written_;
      },
      stop_.get_token(), clock_};
};

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

v1::UiNode editor(const std::string& text) {
  auto node = element("text", "Notes", {10, 10, 200, 100}, {v1::UI_STATE_ENABLED, v1::UI_STATE_EDITABLE});
  node.set_text(text);
  return node;
}

// Bug: all text of an editor was reported as visible.
TEST_F(LocatorTest, ScrolledOutTextIsNotVisible) {
  *source_.tree.add_nodes() = editor("alpha\nbeta gamma\nGrüße");
  source_.text_places["text/Notes"] = {{12, 400, 40, 16}};
  const auto reply = locate("gamma", v1::ACTIONABLE_UNSPECIFIED, 0);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->candidates_size(), 0);
  EXPECT_EQ(reply->missing(), "is in \"Notes\", but is scrolled out of sight");
  ASSERT_EQ(source_.text_requests.size(), 1u);
  EXPECT_EQ(source_.text_requests[0].task_id(), "t1");
  EXPECT_EQ(source_.text_requests[0].ranges(0).first(), 11u);
  EXPECT_EQ(source_.text_requests[0].ranges(0).count(), 5u);
}

TEST_F(LocatorTest, VisibleTextHasItsOwnBounds) {
  *source_.tree.add_nodes() = editor("alpha, beta, alpha");
  source_.text_places["text/Notes"] = {{12, -300, 40, 16}, {12, 90, 40, 40}};
  const auto reply = locate("alpha", v1::ACTIONABLE_UNSPECIFIED, 0);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  ASSERT_EQ(reply->candidates_size(), 1);
  EXPECT_EQ(rect_from_wire(reply->candidates(0).bounds()), (Rect{12, 90, 40, 20}));
}

TEST_F(LocatorTest, ElementWithoutTextPositionsIsAccepted) {
  *source_.tree.add_nodes() = editor("alpha beta");
  for (const bool silent : {true, false}) {
    if (!silent) source_.text_places["text/Notes"] = {Rect{}};
    const auto reply = locate("beta", v1::ACTIONABLE_UNSPECIFIED, 0);
    ASSERT_TRUE(reply);
    ASSERT_EQ(reply->candidates_size(), 1);
    EXPECT_EQ(rect_from_wire(reply->candidates(0).bounds()), (Rect{10, 10, 200, 100}));
  }
}

TEST_F(LocatorTest, MatchByNameDoesNotRequestTextPositions) {
  *source_.tree.add_nodes() = editor("Notes of today");
  ASSERT_EQ(locate("Notes", v1::ACTIONABLE_UNSPECIFIED, 0)->candidates_size(), 1);
  EXPECT_TRUE(source_.text_requests.empty());
}

TEST_F(LocatorTest, TextScrolledOutOfOneElementMayShowInAnother) {
  *source_.tree.add_nodes() = editor("alpha");
  auto other = element("text", "Log", {300, 10, 200, 100});
  other.set_text("some alpha");
  *source_.tree.add_nodes() = other;
  source_.text_places["text/Notes"] = {{12, 400, 40, 16}};
  const auto reply = locate("alpha", v1::ACTIONABLE_UNSPECIFIED, 0);
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->candidates_size(), 1);
  EXPECT_EQ(reply->candidates(0).node().name(), "Log");
  EXPECT_EQ(reply->missing(), "");
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

TEST_F(LocatorTest, VisibleTextOfACoveredNameIsVisibleButNotClickable) {
  OcrLine line;
  line.words.push_back({"Agree", {300, 100, 60, 12}, 0.9});
  line.bounds = {300, 100, 60, 12};
  written_ = {line};
  *source_.tree.add_nodes() = element("push button", "Agree", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  source_.windows.insert(source_.windows.begin(), window("Cover", {0, 0, 200, 200}, false));
  const auto visible = locate("Agree", v1::ACTIONABLE_UNSPECIFIED, 5'000, true);
  ASSERT_TRUE(visible);
  EXPECT_EQ(visible->missing(), "") << visible->DebugString();
  EXPECT_EQ(visible->candidates(0).source(), v1::Candidate::SOURCE_OCR);
  EXPECT_THAT(locate("Agree", v1::ACTIONABLE_ENABLED, 1'000, true)->missing(), HasSubstr("covered"));
  written_.clear();
  source_.fill({300, 100, 8, 8}, 100);
  EXPECT_THAT(locate("Agree", v1::ACTIONABLE_UNSPECIFIED, 1'000, true)->missing(), HasSubstr("covered"));
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

// Bug: a notification covered "Send", and "Send now" was clicked.
TEST_F(LocatorTest, PartOfATextIsNotClickedWhileAPartOfItsWindowIsCovered) {
  OcrLine line;
  line.words = {{"Send", {10, 100, 40, 12}, 0.9}, {"now", {54, 100, 30, 12}, 0.9}};
  line.bounds = {10, 100, 74, 12};
  written_ = {line};
  EXPECT_EQ(locate("Send", v1::ACTIONABLE_ENABLED, 1'000, true)->missing(), "");
  source_.windows.insert(source_.windows.begin(), window("Note", {0, 200, 100, 40}, false));
  EXPECT_THAT(locate("Send", v1::ACTIONABLE_ENABLED, 1'000, true)->missing(),
              AllOf(HasSubstr("only as a part of another text"), HasSubstr("covers a part of the window")));
  EXPECT_EQ(locate("Send now", v1::ACTIONABLE_ENABLED, 1'000, true)->missing(), "");
  EXPECT_EQ(locate("Send", v1::ACTIONABLE_UNSPECIFIED, 1'000, true)->missing(), "") << "it does show";
}

TEST_F(LocatorTest, OcrRunsOnlyWithoutATreeMatchAndOncePerFrame) {
  OcrLine line;
  line.words.push_back({"Proceed", {200, 100, 60, 12}, 0.9});
  line.bounds = {200, 100, 60, 12};
  source_.windows = {window("w1", {-100, 0, 640, 480}, true)};
  *source_.tree.add_nodes() = element("push button", "Save", {10, 10, 80, 30}, {v1::UI_STATE_ENABLED});
  ASSERT_TRUE(locate("Save", v1::ACTIONABLE_ENABLED, 5'000, true));
  EXPECT_TRUE(reads_.empty());
  auto reply = locate("Proceed", v1::ACTIONABLE_ENABLED, 5'000, true);
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->missing(), HasSubstr("nowhere"));
  EXPECT_EQ(reads_.size(), 2u) << "the focused window, then everything, and not again: nothing changed";

  source_.fill({200, 100, 60, 12}, 100);
  written_ = {line};
  reply = locate("Proceed", v1::ACTIONABLE_ENABLED, 5'000, true);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->missing(), "");
  ASSERT_EQ(reply->candidates_size(), 1);
  EXPECT_EQ(reply->candidates(0).bounds().x(), 100) << "desktop pixels";
}

TEST_F(LocatorTest, OcrOfAMovingScreenWaitsForTheTimeout) {
  source_.settled = false;
  ASSERT_TRUE(locate("Proceed", v1::ACTIONABLE_ENABLED, 3'000, true));
  EXPECT_EQ(reads_.size(), 2u);
}

TEST_F(LocatorTest, OcrTextIsNotAFieldToTypeInto) {
  OcrLine line;
  line.words.push_back({"Name", {200, 100, 60, 12}, 0.9});
  line.bounds = {200, 100, 60, 12};
  written_ = {line};
  EXPECT_THAT(locate("Name", v1::ACTIONABLE_EDITABLE, 500, true)->missing(), HasSubstr("its input field is unknown"));
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
  EXPECT_THAT(reply->missing(), testing::HasSubstr("is not in that window, but shows elsewhere"));
  source_.windows.pop_back();
  const auto part = locator_.locate(request, cancel_.get_token());
  ASSERT_TRUE(part);
  EXPECT_EQ(part->missing(), "");
}

}  // namespace
}  // namespace da::observer
