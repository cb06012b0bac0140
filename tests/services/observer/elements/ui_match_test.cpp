#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/observer/elements/ui_match_fixture.h"

namespace da::observer {
namespace {

TEST_F(UiMatchTest, OnlyElementsVisibleInTheirWindowAreFound) {
  add(element("push button", "Save", {10, 10, 80, 30})).clear_states();
  add(element("push button", "Save", {700, 10, 80, 30}));
  add(element("push button", "Save", {10, 10, 0, 30}));
  EXPECT_TRUE(match("Save").empty());
  add(element("push button", "Save", {580, 390, 80, 30}));
  const auto found = match("Save");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].bounds().width(), 20u) << "the visible part";
}

TEST_F(UiMatchTest, ElementsOfMinimizedWindowsAreNotFound) {
  windows_[0].set_minimized(true);
  add(element("push button", "Save", {10, 10, 80, 30}));
  EXPECT_TRUE(match("Save").empty());
}

TEST_F(UiMatchTest, MenuItemsMayReachBeyondTheirWindow) {
  add(element("menu item", "Quit", {10, 500, 80, 30}));
  EXPECT_EQ(best("Quit"), "menu item/Quit");
}

// Bug: with "Save" in featherpad's open menu and on the toolbar below it, neither was clicked.
TEST_F(UiMatchTest, OpenMenuEntryBeatsButtonOfTheSameName) {
  add(element("push button", "Save", {10, 10, 80, 30}));
  auto& menu = add(element("menu", "File", {10, 40, 80, 30}));
  auto& entry = add(element("menu item", "Save", {10, 100, 80, 30}));
  entry.set_parent_id(menu.element_id());
  EXPECT_EQ(best("Save"), "menu item/Save");
  EXPECT_FALSE(is_ambiguous(match("Save")));
}

// Bug: the wheel scrolled over the browser's tab, whose name contains the page's name.
TEST_F(UiMatchTest, TabIsNotAScrollTarget) {
  add(element("page tab", "long text", {10, 10, 80, 30}));
  auto& page = add(element("document web", "", {10, 50, 500, 300}));
  auto& paragraph = add(element("paragraph", "long text", {10, 60, 400, 100}));
  paragraph.set_parent_id(page.element_id());
  EXPECT_EQ(best("long text", v1::ACTIONABLE_SCROLLABLE), "paragraph/long text");
}

TEST_F(UiMatchTest, CandidateIsClippedToItsContainer) {
  auto& row = add(element("table cell", "row", {10, 90, 200, 40}));
  *row.mutable_visible() = element("", "", {10, 90, 200, 10}).bounds();
  ASSERT_EQ(match("row").size(), 1u);
  EXPECT_EQ(rect_from_wire(match("row")[0].bounds()), (Rect{10, 90, 200, 10}));
}

TEST_F(UiMatchTest, ExactNameBeatsLongerNames) {
  add(element("push button", "Save As", {10, 10, 80, 30}));
  add(element("push button", "Save", {110, 10, 80, 30}));
  add(element("frame", "Saved - Editor", {0, 0, 600, 400}));
  EXPECT_EQ(best("save"), "push button/Save");
  EXPECT_FALSE(is_ambiguous(match("save")));
}

// Bug: "Send now" was clicked for "Send", which was below the desktop's edge.
TEST_F(UiMatchTest, LongerNameIsNotMeantWhereTheWholeNameIsOutsideOfTheDesktop) {
  windows_ = {window("w1", {0, 600, 600, 400}, true)};
  add(element("push button", "Send now", {10, 610, 80, 30}));
  EXPECT_FALSE(is_outside("send"));
  add(element("check box", "Send", {10, 900, 80, 30}));
  EXPECT_TRUE(is_outside("send"));
  EXPECT_FALSE(is_outside("send now"));
  tree_.mutable_nodes(1)->clear_states();
  EXPECT_FALSE(is_outside("send")) << "the application does not show it";
}

TEST_F(UiMatchTest, ButtonWithADoubledNameBeatsItsOwnLabel) {
  add(element("push button", "1 1", {10, 10, 40, 40}));
  add(element("label", "1", {25, 20, 10, 20}));
  add(element("push button", "11 11", {60, 10, 40, 40}));
  EXPECT_EQ(best("1"), "push button/1 1");
  EXPECT_FALSE(is_ambiguous(match("1")));
}

TEST_F(UiMatchTest, LabelToTheLeftNamesAnUnnamedField) {
  add(element("label", "Name:", {10, 50, 45, 20}));
  add(element("label", "Folder:", {10, 90, 45, 20}));
  add(element("text", "", {70, 46, 300, 28}, {v1::UI_STATE_EDITABLE, v1::UI_STATE_ENABLED}));
  for (const char* query : {"Name", "Name field", "name:"}) {
    const auto found = match(query, v1::ACTIONABLE_EDITABLE);
    ASSERT_FALSE(found.empty()) << query;
    EXPECT_EQ(found[0].node().role(), "text") << query;
    EXPECT_EQ(found[0].text(), "Name:");
  }
}

TEST_F(UiMatchTest, LabelAboveNamesAnUnnamedFieldUnlessOneIsBesideIt) {
  add(element("label", "Comment", {70, 100, 80, 18}));
  add(element("text", "", {70, 122, 300, 60}, {v1::UI_STATE_EDITABLE}));
  EXPECT_EQ(match("Comment", v1::ACTIONABLE_EDITABLE)[0].node().role(), "text");
  add(element("label", "Title", {10, 140, 45, 18}));
  EXPECT_EQ(match("Title", v1::ACTIONABLE_EDITABLE)[0].node().role(), "text");
}

// Bug: a list that shows "S" was not found as "Size", because toolkits name it by its item.
TEST_F(UiMatchTest, LabelNamesADropDownListThatShowsAValue) {
  add(element("label", "Size", {10, 10, 60, 20}));
  add(element("combo box", "S", {80, 8, 100, 24}));
  EXPECT_EQ(best("Size"), "combo box/S");
  EXPECT_EQ(best("S"), "combo box/S");
}

TEST_F(UiMatchTest, DropDownListNamedByItsLabelIsFoundByItsItemToo) {
  add(element("combo box", "Size", {80, 8, 100, 24})).set_text("S");
  EXPECT_EQ(best("Size"), "combo box/Size");
  EXPECT_EQ(best("S"), "combo box/Size");
}

TEST_F(UiMatchTest, LabelToTheRightNamesAnUnnamedBoxAndToTheLeftASwitch) {
  add(element("check box", "", {10, 10, 16, 16}));
  add(element("label", "In stock", {30, 8, 60, 20}));
  auto& second = add(element("check box", "", {120, 10, 16, 16}));
  second.set_element_id("second");
  add(element("label", "Sold", {140, 8, 60, 20}));
  add(element("label", "Wifi", {10, 40, 60, 20}));
  add(element("switch", "", {100, 40, 40, 20}));
  EXPECT_EQ(best("In stock"), "check box/");
  EXPECT_EQ(best("Sold"), "second");
  EXPECT_EQ(best("Wifi"), "switch/");
}

TEST_F(UiMatchTest, LabelInsideNamesAnUnnamedRowThatIsScrolledOut) {
  auto& row = add(element("list item", "", {10, 900, 200, 20}, {v1::UI_STATE_SCROLLED_OUT, v1::UI_STATE_ENABLED}));
  auto& label = add(element("label", "City 40", {12, 902, 190, 16}, {v1::UI_STATE_SCROLLED_OUT}));
  label.set_parent_id(row.element_id());
  EXPECT_EQ(best("City 40"), "list item/");
}

TEST_F(UiMatchTest, RoleAloneFindsTheUnnamedEditor) {
  add(element("push button", "Save", {10, 10, 80, 30}));
  add(element("text", "", {0, 50, 600, 300}, {v1::UI_STATE_EDITABLE}));
  EXPECT_EQ(best("the text area", v1::ACTIONABLE_EDITABLE), "text/");
}

TEST_F(UiMatchTest, RoleWordDistinguishesElementsOfTheSameName) {
  add(element("menu", "File", {0, 0, 40, 20}));
  add(element("push button", "File", {100, 100, 40, 20}));
  EXPECT_TRUE(is_ambiguous(match("File")));
  EXPECT_EQ(best("File button"), "push button/File");
  EXPECT_EQ(best("File menu"), "menu/File");
  EXPECT_FALSE(is_ambiguous(match("File menu")));
}

TEST_F(UiMatchTest, ElementNamedLikeTheWholeQueryBeatsTheRoleWord) {
  add(element("push button", "Start", {10, 10, 40, 20}));
  add(element("menu item", "Start menu", {10, 60, 40, 20}));
  EXPECT_EQ(best("Start menu"), "menu item/Start menu");
}

TEST_F(UiMatchTest, FocusedWindowWinsATie) {
  windows_ = {window("w2", {300, 300, 200, 100}, true), window("w1", {0, 0, 600, 400}, false)};
  add(element("push button", "OK", {10, 10, 40, 20}));
  auto& other = add(element("push button", "OK", {310, 310, 40, 20}));
  other.set_window_id("w2");
  other.set_element_id("in front");
  EXPECT_EQ(best("OK"), "in front");
  EXPECT_FALSE(is_ambiguous(match("OK")));
}

TEST_F(UiMatchTest, CoveredElementLosesToVisibleOne) {
  windows_ = {window("w2", {0, 0, 200, 100}, false), window("w1", {0, 0, 600, 400}, false)};
  add(element("push button", "OK", {10, 10, 40, 20})).set_element_id("covered");
  add(element("push button", "OK", {310, 310, 40, 20})).set_element_id("visible");
  EXPECT_EQ(best("OK"), "visible");
}

TEST_F(UiMatchTest, ElementIsCoveredIfAWindowInFrontCoversItsCenter) {
  add(element("push button", "OK", {10, 10, 40, 20}));
  EXPECT_EQ(cover("OK"), "");
  windows_ = {window("w2", {0, 0, 25, 100}, true), window("w1", {0, 0, 600, 400}, false)};
  EXPECT_EQ(cover("OK"), "") << "its centre can be clicked";
  windows_[0] = window("w2", {0, 0, 35, 100}, true);
  EXPECT_EQ(cover("OK"), "the window \"w2\"");
  windows_[0].set_minimized(true);
  EXPECT_EQ(cover("OK"), "");
  windows_ = {window("w1", {0, 0, 600, 400}, false), window("w2", {0, 0, 200, 100}, true)};
  EXPECT_EQ(cover("OK"), "") << "that window is behind";
  windows_ = {window("w2", {0, 0, 200, 100}, true)};
  EXPECT_EQ(cover("OK"), "") << "the stacking of its own window is unknown";
}

TEST_F(UiMatchTest, OpenMenusAndListsAreAboveAllWindowsButNotMenuBarsAndListsInWindows) {
  windows_ = {window("w2", {0, 0, 300, 300}, true), window("w1", {0, 0, 600, 400}, false)};
  const auto add_below = [&](const std::string& role, const std::string& name, const std::string& parent) {
    add(element(role, name, {10, 10, 80, 20})).set_parent_id(parent);
  };
  add_below("menu bar", "", "");
  add_below("menu", "File", "menu bar/");
  add_below("menu item", "Quit", "menu/File");
  add_below("combo box", "Colour", "");
  add_below("list", "colours", "combo box/Colour");
  add_below("list item", "Red", "list/colours");
  add_below("list", "files", "");
  add_below("list item", "a.txt", "list/files");
  EXPECT_EQ(cover("Quit"), "");
  EXPECT_EQ(cover("Red"), "");
  EXPECT_EQ(cover("File"), "the window \"w2\"");
  EXPECT_EQ(cover("Colour"), "the window \"w2\"");
  EXPECT_EQ(cover("a.txt"), "the window \"w2\"");
}

TEST_F(UiMatchTest, WindowIsVisibleUntilItIsFullyCovered) {
  windows_ = {window("w2", {100, 100, 300, 200}, true), window("w1", {0, 0, 600, 400}, false)};
  add(element("frame", "Editor", {0, 0, 600, 400}));
  EXPECT_EQ(cover("Editor", v1::ACTIONABLE_UNSPECIFIED), "");
  EXPECT_EQ(cover("Editor", v1::ACTIONABLE_ENABLED), "the window \"w2\"");
  windows_[0] = window("w2", {0, 0, 700, 500}, true);
  EXPECT_EQ(cover("Editor", v1::ACTIONABLE_UNSPECIFIED), "the window \"w2\"");
}

TEST_F(UiMatchTest, TextContentMatchesForVisibilityButNotForClicks) {
  add(element("text", "", {0, 50, 600, 300}, {v1::UI_STATE_EDITABLE})).set_text("please Save the whales");
  EXPECT_FALSE(match("Save", v1::ACTIONABLE_UNSPECIFIED).empty());
  EXPECT_TRUE(match("Save", v1::ACTIONABLE_ENABLED).empty());
}

TEST_F(UiMatchTest, HiddenElementIsReported) {
  std::vector<const v1::Window*> views{&windows_[0]};
  add(element("push button", "Save", {700, 10, 80, 30}));
  EXPECT_TRUE(is_present_but_hidden(tree_, {views, {0, 0, 1280, 800}}, parse_target("Save")));
  EXPECT_FALSE(is_present_but_hidden(tree_, {views, {0, 0, 1280, 800}}, parse_target("Open")));
}

TEST_F(UiMatchTest, HostileBoundsAreHarmless) {
  auto& node = add(element("push button", "Save", {0, 0, 1, 1}));
  node.mutable_bounds()->set_x(2147483647);
  node.mutable_bounds()->set_width(4294967295u);
  node.mutable_bounds()->set_height(4294967295u);
  EXPECT_TRUE(match("Save").empty());
  node.mutable_bounds()->set_x(-2147483647);
  EXPECT_LE(match("Save").size(), 1u);
}

TEST(ActionableTest, ExplainsWhyACandidateIsNotActionable) {
  v1::Candidate candidate;
  candidate.set_source(v1::Candidate::SOURCE_UI_TREE);
  *candidate.mutable_node() = element("push button", "Save", {1, 2, 3, 4});
  *candidate.mutable_bounds() = candidate.node().bounds();
  EXPECT_EQ(missing_condition(candidate, nullptr, v1::ACTIONABLE_UNSPECIFIED), "shows, but is still moving");
  EXPECT_EQ(missing_condition(candidate, &candidate, v1::ACTIONABLE_UNSPECIFIED), "");
  EXPECT_EQ(missing_condition(candidate, &candidate, v1::ACTIONABLE_ENABLED), "shows, but is not enabled");
  candidate.mutable_node()->add_states(v1::UI_STATE_ENABLED);
  EXPECT_EQ(missing_condition(candidate, &candidate, v1::ACTIONABLE_ENABLED), "");
  EXPECT_EQ(missing_condition(candidate, &candidate, v1::ACTIONABLE_EDITABLE), "shows, but takes no text");
  v1::Candidate moved = candidate;
  moved.mutable_bounds()->set_x(9);
  EXPECT_EQ(missing_condition(candidate, &moved, v1::ACTIONABLE_ENABLED), "shows, but is still moving");
}

}  // namespace
}  // namespace da::observer
