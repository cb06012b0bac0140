// Targets inside of a text, and targets that only the picture shows.
#include <gmock/gmock.h>

#include "tests/services/observer/locate/locator_fixture.h"

namespace da::observer {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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

// Bug: another window covered the first "Delete", and "2nd" clicked the third.
TEST_F(LocatorTest, TextIsNotCountedWhileAPartOfItsWindowIsCovered) {
  for (int row = 0; row < 3; ++row) {
    OcrLine line;
    line.words = {{"Delete", {10, 100 + 40 * row, 40, 12}, 0.9}};
    line.bounds = {10, 100 + 40 * row, 40, 12};
    written_.push_back(line);
  }
  const auto second = [&](v1::Actionable actionable) {
    v1::LocateRequest request;
    request.set_task_id("t1");
    request.set_target("Delete");
    request.set_index(2);
    request.set_actionable(actionable);
    request.set_max_wait_ms(1'000);
    request.set_use_ocr(true);
    return locator_.locate(request, {})->missing();
  };
  EXPECT_EQ(second(v1::ACTIONABLE_ENABLED), "");
  source_.windows.insert(source_.windows.begin(), window("Note", {0, 300, 100, 40}, false));
  EXPECT_THAT(second(v1::ACTIONABLE_ENABLED), AllOf(HasSubstr("is counted"), HasSubstr("covers a part of the window")));
  EXPECT_EQ(second(v1::ACTIONABLE_UNSPECIFIED), "") << "nothing is clicked";
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

}  // namespace
}  // namespace da::observer
