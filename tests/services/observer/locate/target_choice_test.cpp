#include "services/observer/locate/target_choice.h"

#include <gtest/gtest.h>

#include "lib/contract/evidence/role_words.h"
#include "services/observer/elements/ui_match.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

struct Wanted {
  std::string name;
  std::string role;
  std::uint32_t index = 0;
  std::string window;
};

class TargetChoice : public testing::Test {
 protected:
  void add(const std::string& id, const std::string& role, const std::string& name, const Rect& bounds,
           const std::string& window_id = "w1") {
    v1::UiNode node = element(role, name, bounds, {v1::UI_STATE_ENABLED});
    node.set_element_id(id);
    node.set_window_id(window_id);
    *tree_.add_nodes() = node;
  }

  LocatedTarget target(const Wanted& wanted) {
    v1::LocateRequest request;
    request.set_target(wanted.name);
    request.set_role(wanted.role);
    request.set_index(wanted.index);
    request.set_window(wanted.window);
    return target_of(request).value();
  }

  // The ids of the remaining candidates, or "-" and the reason why there are none.
  std::vector<std::string> chosen(const Wanted& wanted) {
    std::vector<const v1::Window*> views;
    for (const auto& each : windows_) views.push_back(&each);
    const Scene scene{views, {0, 0, 1280, 800}};
    const LocatedTarget meant = target(wanted);
    auto candidates = match_ui(tree_, scene, meant, v1::ACTIONABLE_ENABLED);
    std::string absent = keep_at_index(meant, candidates);
    if (candidates.empty()) return {"-", absent.empty() ? explain_no_match(tree_, scene, meant) : absent};
    std::vector<std::string> ids;
    for (const auto& each : candidates) ids.push_back(each.node().element_id());
    return ids;
  }

  using Ids = std::vector<std::string>;
  std::vector<v1::Window> windows_{window("w1", {0, 0, 600, 400}, true), window("w2", {600, 0, 600, 400}, false)};
  v1::UiTree tree_;
};

TEST_F(TargetChoice, OnlyElementsOfTheKindAreFound) {
  add("link", "link", "OK", {10, 10, 80, 30});
  add("button", "push button", "OK", {10, 60, 80, 30});
  EXPECT_EQ(chosen({"OK", "button"}), Ids{"button"});
  EXPECT_EQ(chosen({"OK", "link"}), Ids{"link"});
  EXPECT_EQ(chosen({"OK", "slider"}), (Ids{"-", "is not there, but other elements have that name: push button, link"}));
  EXPECT_EQ(chosen({"Nothing", "slider"}), (Ids{"-", ""}));
}

TEST_F(TargetChoice, NameWithAKindIsNotParsedForRoleWords) {
  add("a", "push button", "Save button", {10, 10, 80, 30});
  add("b", "push button", "Save", {10, 60, 80, 30});
  EXPECT_EQ(chosen({"Save button", "button"}), Ids{"a"});
}

TEST_F(TargetChoice, IndexFollowsReadingOrder) {
  add("right", "push button", "Edit", {200, 12, 80, 30});
  add("below", "push button", "Edit", {10, 60, 80, 30});
  add("left", "push button", "Edit", {10, 10, 80, 30});
  EXPECT_EQ(chosen({"Edit", "", 1}), Ids{"left"});
  EXPECT_EQ(chosen({"Edit", "", 2}), Ids{"right"});
  EXPECT_EQ(chosen({"Edit", "", 3}), Ids{"below"});
  EXPECT_EQ(chosen({"Edit", "", 4}), (Ids{"-", "has only 3 matches on the screen"}));
}

TEST_F(TargetChoice, ButtonAndItsLabelCountOnce) {
  add("first", "push button", "Edit", {10, 10, 80, 30});
  add("inside", "push button", "Edit", {12, 12, 70, 20});
  add("second", "push button", "Edit", {10, 60, 80, 30});
  EXPECT_EQ(chosen({"Edit", "", 2}), Ids{"second"});
}

TEST_F(TargetChoice, IndexMayExceedTheListedCandidates) {
  for (int i = 0; i < 40; ++i) add(std::to_string(i), "check box", "Row", {10, 10 + 9 * i, 80, 8});
  EXPECT_EQ(chosen({"Row", "", 33}), Ids{"32"});
  EXPECT_EQ(chosen({"", "check box", 40}), Ids{"39"});
}

TEST_F(TargetChoice, OnlyElementsOfTheWindowAreFound) {
  windows_[0].set_title("Files");
  windows_[1].set_title("Save As");
  add("files", "push button", "OK", {10, 10, 80, 30});
  add("save", "push button", "OK", {610, 10, 80, 30}, "w2");
  add("only", "push button", "Help", {10, 60, 80, 30});
  EXPECT_EQ(chosen({"OK", "", 0, "save as"}), Ids{"save"});
  EXPECT_EQ(chosen({"Help", "", 0, "Save"}), (Ids{"-", "is not in that window, but shows elsewhere"}));
  EXPECT_EQ(chosen({"OK", "", 0, "Nowhere"}), (Ids{"-", "was not found: no window title contains \"Nowhere\""}));
}

TEST_F(TargetChoice, OcrTextCountsOnlyInTheWindow) {
  windows_[0].set_title("Files");
  windows_[1].set_title("Terminal");
  std::vector<v1::Candidate> read(2);
  *read[0].mutable_bounds() = rect_to_wire({10, 10, 20, 10});
  *read[1].mutable_bounds() = rect_to_wire({700, 10, 20, 10});
  const std::vector<const v1::Window*> views{&windows_[0], &windows_[1]};
  keep_in_window(target({"x", "", 0, "Terminal"}), {views, {0, 0, 1280, 800}}, read);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].bounds().x(), 700);
}

// Bug: a terminal that shows the call of the console has the words of `check "Saved" is visible`.
TEST_F(TargetChoice, TextOfTheTerminalThatStartedTheRunCountsOnlyIfItIsNamed) {
  windows_[0].set_title("Terminal");
  windows_[0].set_started_run(true);
  std::vector<v1::Candidate> read(2);
  *read[0].mutable_bounds() = rect_to_wire({10, 10, 20, 10});
  *read[1].mutable_bounds() = rect_to_wire({700, 10, 20, 10});
  const std::vector<const v1::Window*> views{&windows_[0], &windows_[1]};
  const Scene scene{views, {0, 0, 1280, 800}};
  auto anywhere = read;
  keep_in_window(target({"x", "", 0, ""}), scene, anywhere);
  ASSERT_EQ(anywhere.size(), 1u);
  EXPECT_EQ(anywhere[0].bounds().x(), 700);
  keep_in_window(target({"x", "", 0, "Terminal"}), scene, read);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].bounds().x(), 10);
}

// Bug: `click "Gamma" in "Files"` clicked the "Gamma" of another window, which showed where "Files" had been before it
// was shaded.
TEST_F(TargetChoice, TextBehindAShadedWindowIsNotInIt) {
  windows_[0].set_title("Files");
  windows_[1].set_title("Terminal");
  *windows_[1].mutable_bounds() = windows_[0].bounds();
  std::vector<v1::ClickArea> areas(3);
  areas[0].set_owner_id("w2");  // A menu of the terminal, which the shaded window does not cover.
  *areas[0].add_parts() = rect_to_wire({200, 100, 50, 80});
  areas[1].set_window_id("w1");
  *areas[1].add_parts() = rect_to_wire({0, 0, 600, 20});
  areas[2].set_window_id("w2");
  *areas[2].add_parts() = windows_[1].bounds();
  std::vector<v1::Candidate> read(3);
  *read[0].mutable_bounds() = rect_to_wire({10, 5, 20, 10});
  *read[1].mutable_bounds() = rect_to_wire({10, 50, 20, 10});
  *read[2].mutable_bounds() = rect_to_wire({210, 110, 20, 10});
  const std::vector<const v1::Window*> views{&windows_[0], &windows_[1]};
  const std::vector<const v1::ClickArea*> area_views{&areas[0], &areas[1], &areas[2]};
  const Scene scene{views, {0, 0, 1280, 800}, area_views};
  auto in_files = read;
  keep_in_window(target({"x", "", 0, "Files"}), scene, in_files);
  ASSERT_EQ(in_files.size(), 1u);
  EXPECT_EQ(in_files[0].bounds().y(), 5);
  keep_in_window(target({"x", "", 0, "Terminal"}), scene, read);
  EXPECT_EQ(read.size(), 2u);
}

TEST_F(TargetChoice, EmptyTargetAndUnknownKindsAreRefused) {
  v1::LocateRequest request;
  EXPECT_EQ(target_of(request).error().code, Code::kInvalidArgument);
  request.set_role("gadget");
  EXPECT_EQ(target_of(request).error().message, "unknown kind of element: \"gadget\"");
  request.set_role("check box");
  EXPECT_TRUE(target_of(request));
}

TEST_F(TargetChoice, EveryRoleWordIsKnown) {
  for (const std::string_view word : contract::kRoleWords) EXPECT_TRUE(kind_named(word)) << word;
}

}  // namespace
}  // namespace da::observer
