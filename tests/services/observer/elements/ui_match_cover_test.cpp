// A window, menu or dialog covers, blocks or shades the matches of a target.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/observer/elements/ui_match_fixture.h"

namespace da::observer {
namespace {

// Bug: a thin frame around the screen covered every button below it.
TEST_F(UiMatchTest, WindowCoversOnlyWhereItTakesClicks) {
  windows_.insert(windows_.begin(), window("frame", {0, 0, 1280, 800}, false));
  add(element("push button", "Save", {10, 10, 80, 30}));
  EXPECT_THAT(cover("Save"), testing::HasSubstr("frame"));
  add_area("w1", {{0, 0, 600, 400}});
  add_area("frame", {{0, 0, 1280, 4}, {0, 796, 1280, 4}});
  EXPECT_EQ(cover("Save"), "");
}

// Bug: a notification over a button was not seen.
TEST_F(UiMatchTest, UnmanagedWindowOfAnotherProgramCovers) {
  add(element("push button", "Save", {10, 10, 80, 30}));
  add_area("w1", {{0, 0, 600, 400}});
  add_area("bubble", {{0, 0, 200, 100}}, false);
  EXPECT_THAT(cover("Save"), testing::HasSubstr("bubble"));
}

// Bug: the click on the button chose the entry of an open menu that lay over it.
TEST_F(UiMatchTest, OpenMenuCoversWhatIsBeneathButNotItsEntries) {
  add(element("tool bar", "Tools", {0, 40, 600, 30}));
  add(element("push button", "Stamp", {10, 40, 60, 30})).set_parent_id("tool bar/Tools");
  add(element("popup menu", "", {5, 35, 150, 60}));
  add(element("menu item", "Greet", {5, 35, 150, 30})).set_parent_id("popup menu/");
  add(element("menu item", "Leave", {5, 65, 150, 30})).set_parent_id("popup menu/");
  add_area("w1", {{0, 0, 600, 400}});
  v1::ClickArea& menu = add_area("menu window", {{5, 35, 150, 60}}, false);
  menu.set_owner_id("w1");
  menu.set_grabs_clicks(true);
  EXPECT_EQ(cover("Stamp"), "an open menu");
  EXPECT_EQ(cover("Greet"), "");
  EXPECT_EQ(cover("Leave"), "");
}

TEST_F(UiMatchTest, BubbleCoversItsOwnProgramsButtonsButNotItsParts) {
  add(element("push button", "Save", {10, 10, 80, 30}));
  add(element("panel", "", {200, 100, 190, 90}));
  add(element("push button", "Dismiss", {220, 150, 80, 30})).set_parent_id("panel/");
  add_area("w1", {{0, 0, 600, 400}});
  add_area("over Save", {{0, 0, 200, 100}}, false).set_owner_id("w1");
  add_area("panel's window", {{195, 95, 200, 100}}, false).set_owner_id("w1");
  EXPECT_THAT(cover("Save"), testing::HasSubstr("over Save"));
  EXPECT_EQ(cover("Dismiss"), "");
}

// Bug: the rows of a list counted as shown where their window was shaded, and the drag of one pressed in the window
// there.
TEST_F(UiMatchTest, RowsOfAShadedWindowDoNotShow) {
  windows_.push_back(window("w2", {0, 0, 600, 400}, false));
  add(element("list", "Names", {0, 20, 600, 380}));
  add(element("list item", "Alpha", {10, 100, 200, 20})).set_parent_id("list/Names");
  add_area("w2", {{0, 0, 600, 400}});
  EXPECT_EQ(match("Alpha").size(), 0u);
  add_area("w1", {{0, 0, 600, 20}});
  EXPECT_EQ(match("Alpha").size(), 0u);
  // The open list of a drop-down shows in a popup, which may reach beyond its window.
  add_area("popup", {{10, 100, 200, 60}}, false).set_owner_id("w1");
  EXPECT_EQ(match("Alpha").size(), 1u);
}

// Bug: the wheel was turned over a window that covered the middle of the wanted one.
TEST_F(UiMatchTest, WindowCoveredInItsMiddleIsNotScrolled) {
  windows_.insert(windows_.begin(), window("small", {250, 150, 100, 100}, false));
  add(element("frame", "Orders", {0, 0, 600, 400}));
  add_area("w1", {{0, 0, 600, 400}});
  add_area("small", {{250, 150, 100, 100}});
  EXPECT_THAT(cover("Orders", v1::ACTIONABLE_SCROLLABLE), testing::HasSubstr("small"));
  EXPECT_EQ(cover("Orders", v1::ACTIONABLE_UNSPECIFIED), "") << "it shows";
}

// Bug: a window's content counted as that of a bubble of the same program over the whole window.
TEST_F(UiMatchTest, BubbleOverAWholeWindowCoversItsElements) {
  add(element("filler", "Letters", {0, 0, 600, 380}));
  add(element("text", "Town", {10, 10, 80, 30})).set_parent_id("filler/Letters");
  add_area("w1", {{0, 0, 600, 400}});
  add_area("bubble", {{0, 0, 700, 450}}, false).set_owner_id("w1");
  EXPECT_THAT(cover("Town"), testing::HasSubstr("bubble"));
}

// Bug: no entry of a menu that is longer than the screen could be clicked.
TEST_F(UiMatchTest, EntryOfAMenuThatScrollsIsNotCoveredByItsMenu) {
  add(element("popup menu", "", {5, 35, 150, 60}));
  for (int i = 0; i < 5; ++i) {
    add(element("menu item", "Entry " + std::to_string(i), {5, 5 + 30 * i, 150, 30})).set_parent_id("popup menu/");
  }
  v1::ClickArea& menu = add_area("menu window", {{5, 35, 150, 60}}, false);
  menu.set_owner_id("w1");
  menu.set_grabs_clicks(true);
  EXPECT_EQ(cover("Entry 2"), "");
}

// Bug: "done", but the click had only closed the menu.
TEST_F(UiMatchTest, OpenMenuTakesTheClicksBesideIt) {
  add(element("push button", "Stamp", {300, 10, 60, 30}));
  add(element("menu bar", "", {0, 0, 200, 20}));
  add(element("menu", "Edit", {60, 0, 60, 20})).set_parent_id("menu bar/");
  add_area("w1", {{0, 0, 600, 400}});
  v1::ClickArea& menu = add_area("menu window", {{5, 35, 150, 60}}, false);
  EXPECT_EQ(menu_in_the_way("Stamp"), "");
  menu.set_grabs_clicks(true);
  EXPECT_EQ(menu_in_the_way("Stamp"), "an open menu");
  EXPECT_EQ(menu_in_the_way("Stamp", v1::ACTIONABLE_UNSPECIFIED), "");
  EXPECT_EQ(menu_in_the_way("Edit"), "") << "another menu of the bar opens";
}

TEST_F(UiMatchTest, OwnTooltipAndOwnMenuLeaveWhatIsBeneathVisible) {
  add(element("push button", "Save", {10, 10, 80, 30}));
  add_area("w1", {{0, 0, 600, 400}});
  v1::ClickArea& popup = add_area("popup", {{0, 0, 200, 100}}, false);
  popup.set_owner_id("w1");
  EXPECT_EQ(cover("Save", v1::ACTIONABLE_UNSPECIFIED), "");
  popup.set_only_shows(true);
  EXPECT_EQ(cover("Save"), "") << "a tooltip goes away under a click";
}

TEST_F(UiMatchTest, ElementsOfAShadedWindowAreNotFound) {
  add(element("push button", "Save", {10, 50, 80, 30}));
  add_area("w1", {{0, 0, 600, 20}});
  EXPECT_TRUE(match("Save").empty());
}

// Bug: a click in a window that a modal dialog blocks was "done".
TEST_F(UiMatchTest, DialogInTheWayIsNamedWithItsButtons) {
  windows_.insert(windows_.begin(), window("ask", {700, 400, 200, 100}, true));
  windows_[0].set_title("Question");
  windows_[1].set_focused(false);
  add(element("push button", "Save", {10, 10, 80, 30}));
  EXPECT_EQ(blocker("Save"), "");
  windows_[1].set_blocked_by("ask");
  add(element("push button", "Keep", {710, 410, 80, 30})).set_window_id("ask");
  EXPECT_THAT(blocker("Save"), testing::AllOf(testing::HasSubstr("Question"), testing::HasSubstr("Keep")));
  EXPECT_EQ(blocker("Save", v1::ACTIONABLE_UNSPECIFIED), "") << "it still shows";
  EXPECT_EQ(blocker("Keep"), "");
}

}  // namespace
}  // namespace da::observer
