#include "services/observer/marks/marks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "services/observer/elements/ui_roles.h"
#include "services/observer/frames/wire.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

class MarksTest : public testing::Test {
 protected:
  std::vector<Mark> choose(int smallest = 6) {
    views_.clear();
    for (const auto& each : windows_) views_.push_back(&each);
    auto chosen = choose_marks(tree_, {views_, {0, 0, 1280, 800}}, smallest);
    disabled_ = std::move(chosen.disabled);
    return std::move(chosen.marks);
  }
  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const Mark& mark : choose()) names.emplace_back(mark.name);
    return names;
  }
  v1::UiNode& add(v1::UiNode node, const std::string& parent = {}, const std::string& window_id = "w1") {
    node.set_parent_id(parent);
    node.set_window_id(window_id);
    return *tree_.add_nodes() = std::move(node);
  }

  using Names = std::vector<std::string>;
  std::vector<v1::Window> windows_{window("w1", {0, 0, 600, 400}, true)};
  std::vector<const v1::Window*> views_;
  v1::UiTree tree_;
  std::vector<Rect> disabled_;  // Result of the last choose().
};

TEST_F(MarksTest, ElementsThatReactToClicksOrTypingAreMarked) {
  add(element("frame", "Window", {0, 0, 600, 400}, {kEnabled}));
  add(element("label", "Label", {10, 10, 80, 20}, {kEnabled, v1::UI_STATE_FOCUSABLE}));
  add(element("push button", "Save", {10, 40, 80, 20}, {kEnabled}));
  add(element("push button", "Disabled", {10, 70, 80, 20}));
  add(element("push button", "Hidden", {10, 100, 80, 20}, {kEnabled})).clear_states();
  add(element("text", "Editor", {10, 130, 80, 20}, {kEnabled, v1::UI_STATE_EDITABLE, v1::UI_STATE_FOCUSABLE}));
  add(element("text", "Read only", {10, 160, 80, 20}, {kEnabled, v1::UI_STATE_FOCUSABLE}));
  add(element("check box", "Tick", {10, 190, 80, 20}, {kEnabled}));
  add(element("list item", "Of a page", {10, 220, 80, 20}, {kEnabled}));
  add(element("drawing area", "Canvas", {10, 250, 80, 20}, {kEnabled, v1::UI_STATE_FOCUSABLE}));
  EXPECT_EQ(names(), (Names{"Save", "Editor", "Tick", "Canvas"}));
  EXPECT_EQ(disabled_, (std::vector<Rect>{{10, 70, 80, 20}}));
}

TEST_F(MarksTest, SmallOrOutsideElementsAreNotMarked) {
  add(element("push button", "Thin", {10, 40, 5, 20}, {kEnabled}));
  add(element("push button", "Beyond the window", {700, 40, 80, 20}, {kEnabled}));
  add(element("push button", "At its edge", {590, 40, 80, 20}, {kEnabled}));
  const auto marks = choose();
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].bounds, (Rect{590, 40, 10, 20}));
  EXPECT_TRUE(choose(11).empty());
}

TEST_F(MarksTest, CoveredElementIsNotMarkedAndPartlyCoveredOneIsMarkedWhereItShows) {
  windows_ = {window("front", {100, 0, 100, 400}, true), window("w1", {0, 0, 600, 400}, false)};
  add(element("push button", "Hidden", {120, 40, 60, 20}, {kEnabled}));
  add(element("push button", "In part", {150, 80, 200, 20}, {kEnabled}));
  add(element("push button", "At its middle", {80, 120, 100, 20}, {kEnabled}));
  add(element("list item", "Hidden row", {120, 160, 60, 20}, {kEnabled, v1::UI_STATE_FOCUSABLE}));
  add(element("push button", "Of the front", {120, 200, 60, 20}, {kEnabled}), "", "front");
  const auto marks = choose();
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].name, "Of the front");
  EXPECT_EQ(marks[1].name, "In part");
  EXPECT_EQ(marks[1].bounds, (Rect{200, 80, 150, 20}));
  windows_[0].set_minimized(true);
  EXPECT_EQ(choose().size(), 4u);
}

TEST_F(MarksTest, FocusedWindowComesFirstThenTheOthersFromFrontToBack) {
  windows_ = {window("front", {0, 0, 100, 100}, false), window("w1", {200, 0, 100, 100}, true),
              window("back", {400, 0, 100, 100}, false)};
  add(element("push button", "Back", {410, 10, 60, 20}, {kEnabled}), "", "back");
  add(element("push button", "Front", {10, 10, 60, 20}, {kEnabled}), "", "front");
  add(element("push button", "Focused", {210, 10, 60, 20}, {kEnabled}), "", "w1");
  EXPECT_EQ(names(), (Names{"Focused", "Front", "Back"}));
}

TEST_F(MarksTest, NumbersFollowReadingOrderWithinEachContainer) {
  add(element("panel", "right", {300, 0, 300, 400}));
  add(element("panel", "left", {0, 0, 300, 400}));
  add(element("push button", "4", {310, 50, 60, 20}, {kEnabled}), "panel/right");
  add(element("push button", "3", {310, 10, 60, 20}, {kEnabled}), "panel/right");
  add(element("push button", "1b", {110, 12, 60, 20}, {kEnabled}), "panel/left");
  add(element("push button", "2", {10, 90, 60, 20}, {kEnabled}), "panel/left");
  add(element("push button", "1a", {10, 14, 60, 20}, {kEnabled}), "panel/left");
  EXPECT_EQ(names(), (Names{"1a", "1b", "2", "3", "4"}));
}

TEST_F(MarksTest, RowsOfListsLoseTheirMarksFirst) {
  for (int i = 0; i < 150; ++i) {
    add(element("list item", "row " + std::to_string(i), {10, i * 2, 200, 20}, {kEnabled, v1::UI_STATE_FOCUSABLE}));
  }
  add(element("push button", "Last", {300, 370, 60, 20}, {kEnabled}));
  const auto marked = names();
  EXPECT_EQ(marked.size(), kMostMarks);
  EXPECT_EQ(marked.back(), "Last");
  EXPECT_EQ(marked.front(), "row 0");
  EXPECT_EQ(marked[kMostMarks - 2], "row 97");
}

TEST_F(MarksTest, OpenMenuComesFirstAndCoversElementsBelow) {
  add(element("menu bar", "", {0, 0, 600, 20}));
  add(element("menu", "File", {0, 0, 50, 20}, {kEnabled}), "menu bar/");
  add(element("menu item", "Open", {0, 20, 150, 20}, {kEnabled}), "menu/File");
  add(element("menu item", "Quit", {0, 60, 150, 20}, {kEnabled}), "menu/File");
  add(element("push button", "Below", {20, 42, 100, 16}, {kEnabled}));
  add(element("push button", "Beside", {100, 44, 200, 16}, {kEnabled}));
  const auto marks = choose();
  ASSERT_EQ(marks.size(), 4u);
  EXPECT_EQ(names(), (Names{"Open", "Quit", "File", "Beside"}));
  EXPECT_EQ(marks[3].bounds, (Rect{150, 44, 150, 16}));
}

// Regression: the window handles of Windows show an open menu without entries, and fields below it were marked.
TEST_F(MarksTest, OpenMenuWithoutEntriesCoversElementsBelow) {
  add(element("text", "Font", {10, 42, 120, 16}, {kEnabled}));
  add(element("combo box", "Size", {100, 42, 200, 16}, {kEnabled}));
  add(element("popup menu", "", {0, 20, 150, 160}));
  const auto marks = choose();
  ASSERT_EQ(names(), (Names{"Size"}));
  EXPECT_EQ(marks[0].bounds, (Rect{150, 42, 150, 16}));
}

TEST_F(MarksTest, MenuItemsReachBeyondTheirWindowAndOverOthers) {
  windows_ = {window("w1", {0, 0, 100, 30}, true), window("other", {0, 0, 600, 400}, false)};
  add(element("menu", "File", {0, 0, 50, 20}, {kEnabled}));
  add(element("menu item", "Open", {0, 40, 150, 20}, {kEnabled}), "menu/File");
  EXPECT_EQ(names(), (Names{"Open"})) << "a menu outside of a menu bar is the open menu itself";
}

TEST_F(MarksTest, PartlyScrolledOutElementIsMarkedWhereItShows) {
  add(element("scroll pane", "", {0, 100, 300, 100}));
  add(element("push button", "Half", {10, 190, 80, 20}, {kEnabled}), "scroll pane/");
  add(element("push button", "Out", {10, 210, 80, 20}, {kEnabled}), "scroll pane/");
  const auto marks = choose();
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].bounds, (Rect{10, 190, 80, 10}));
}

TEST_F(MarksTest, ElementsAtTheSamePlaceShareOneNumber) {
  add(element("combo box", "Choice", {10, 10, 100, 20}, {kEnabled}));
  add(element("text", "Choice text", {10, 10, 95, 20}, {kEnabled, v1::UI_STATE_EDITABLE}), "combo box/Choice");
  add(element("push button", "Outer", {10, 50, 100, 30}, {kEnabled}));
  add(element("push button", "Inner", {20, 55, 60, 20}, {kEnabled, v1::UI_STATE_FOCUSABLE}), "push button/Outer");
  add(element("push button", "Other", {10, 90, 100, 30}, {kEnabled}));
  EXPECT_EQ(names(), (Names{"Choice text", "Inner", "Other"}));
}

TEST_F(MarksTest, RowOfUnevenCellsHasOneNumberAndAGridOneForEachCell) {
  const auto cell = [](const char* name, const Rect& bounds) {
    return element("table cell", name, bounds, {kEnabled, v1::UI_STATE_FOCUSABLE});
  };
  add(cell("icon", {0, 10, 20, 20}));
  add(cell("a.txt", {20, 10, 300, 20}));
  add(cell("70 bytes", {320, 10, 80, 20}));
  add(cell("b.txt", {20, 30, 300, 20}));
  add(cell("71 bytes", {320, 30, 80, 20}));
  for (int day = 1; day <= 3; ++day) add(cell(std::to_string(day).c_str(), {30 * day, 100, 30, 20}));
  EXPECT_EQ(names(), (Names{"a.txt", "b.txt", "1", "2", "3"}));
}

TEST_F(MarksTest, UnnamedElementsHaveTheNamesOfTheirLabels) {
  add(element("label", "Comment", {10, 10, 80, 20}));
  add(element("text", "", {100, 10, 200, 20}, {kEnabled, v1::UI_STATE_EDITABLE}));
  add(element("list item", "", {10, 40, 200, 20}, {kEnabled, v1::UI_STATE_FOCUSABLE}));
  add(element("panel", "", {10, 40, 200, 20}), "list item/");
  add(element("label", "Home", {30, 40, 80, 20}), "panel/");
  EXPECT_EQ(names(), (Names{"Comment", "Home"}));
}

TEST_F(MarksTest, DescriptionContainsEverythingButTheText) {
  auto& field = add(element("text", "Name", {590, 10, 200, 20}, {kEnabled, v1::UI_STATE_EDITABLE}), "p");
  field.set_text("what is typed already");
  const auto node = describe(choose().at(0));
  EXPECT_EQ(node.element_id(), "text/Name");
  EXPECT_EQ(node.parent_id(), "p");
  EXPECT_EQ(node.window_id(), "w1");
  EXPECT_EQ(node.role(), "text");
  EXPECT_EQ(node.name(), "Name");
  EXPECT_EQ(node.text(), "");
  EXPECT_TRUE(has_state(node, v1::UI_STATE_EDITABLE));
  EXPECT_EQ(rect_from_wire(node.bounds()), (Rect{590, 10, 10, 20}));
}

// Invalid trees: missing or later parents, duplicate ids, arbitrary bounds.
RC_GTEST_PROP(MarksProperty, MarksOfAnyTreeAreVisibleAndClickable, ()) {
  const auto any = [](int from, int to) { return *rc::gen::inRange(from, to); };
  const Rect desktop{any(-200, 1), any(-200, 1), 800, 600};
  const auto place = [&](int largest) {
    return Rect{any(-300, 700), any(-300, 500), any(0, largest), any(0, largest)};
  };
  std::vector<v1::Window> windows;
  for (int i = any(0, 5); i > 0; --i) {
    windows.push_back(window("w" + std::to_string(i), place(600), any(0, 3) == 0));
    windows.back().set_minimized(any(0, 4) == 0);
  }
  const std::array roles{"push button", "menu",  "menu item", "menu bar",    "list item", "table cell",
                         "text",        "label", "panel",     "scroll pane", "combo box", "made up"};
  v1::UiTree tree;
  for (int i = any(0, 300); i > 0; --i) {
    auto node = element(roles[static_cast<std::size_t>(any(0, static_cast<int>(roles.size())))], "n", place(300));
    node.set_element_id(std::to_string(any(0, 200)));
    node.set_parent_id(std::to_string(any(0, 200)));
    node.set_window_id("w" + std::to_string(any(0, 6)));
    for (int state = 1; state <= 10; ++state) {
      if (any(0, 2) == 0) node.add_states(static_cast<v1::UiState>(state));
    }
    *tree.add_nodes() = node;
  }
  std::vector<const v1::Window*> views;
  for (const auto& each : windows) views.push_back(&each);
  const auto marks = choose_marks(tree, {views, desktop}, 6).marks;
  RC_ASSERT(marks.size() <= kMostMarks);
  std::set<const v1::UiNode*> seen;
  for (const Mark& mark : marks) {
    RC_ASSERT(seen.insert(mark.node).second);
    RC_ASSERT(has_state(*mark.node, v1::UI_STATE_SHOWING) && has_state(*mark.node, v1::UI_STATE_ENABLED));
    RC_ASSERT(mark.bounds.width >= 6 && mark.bounds.height >= 6);
    RC_ASSERT(intersection(mark.bounds, desktop) == mark.bounds);
    RC_ASSERT(intersection(mark.bounds, rect_from_wire(mark.node->bounds())) == mark.bounds);
    if (pops_up(mark.node->role())) continue;
    for (const auto& each : windows) {
      if (each.window_id() == mark.node->window_id()) break;
      if (!each.minimized()) RC_ASSERT(intersection(mark.bounds, rect_from_wire(each.bounds())).empty());
    }
  }
}

}  // namespace
}  // namespace da::observer
