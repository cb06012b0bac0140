#include "services/actuator/desktop/viewport.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

Element make(std::string role, const Rect& bounds, std::vector<ElementState> states) {
  return {.role = std::move(role), .bounds = bounds, .states = std::move(states)};
}

// A list in a window, 100 pixels high.
Viewport list_of_100_pixels() {
  Element list = make("table", {10, 10, 200, 100}, {ElementState::kShowing});
  Viewport().place(list, Drawn::kYes);
  return Viewport().of_children(list);
}

TEST(Viewport, ElementOutsideScrollingContainersShowsWhole) {
  Element button = make("push button", {10, 10, 80, 30}, {ElementState::kShowing});
  Viewport().place(button, Drawn::kYes);
  EXPECT_EQ(button.visible, button.bounds);
  EXPECT_EQ(button.viewport, Rect{});
}

TEST(Viewport, PartlyVisibleRowShowsItsPartInTheList) {
  Element row = make("table cell", {10, 100, 200, 20}, {ElementState::kShowing});
  list_of_100_pixels().place(row, Drawn::kYes);
  EXPECT_EQ(row.visible, (Rect{10, 100, 200, 10}));
  EXPECT_TRUE(row.has(ElementState::kShowing));
  EXPECT_FALSE(row.has(ElementState::kScrolledOut));
}

// Regression: Swing reports rows below the visible part as showing, and the click hit something else.
TEST(Viewport, RowBelowTheListIsScrolledOutThoughItReportsShowing) {
  Element row = make("table cell", {10, 300, 200, 20}, {ElementState::kShowing});
  list_of_100_pixels().place(row, Drawn::kYes);
  EXPECT_TRUE(row.visible.empty());
  EXPECT_FALSE(row.has(ElementState::kShowing));
  EXPECT_TRUE(row.has(ElementState::kScrolledOut));
  EXPECT_EQ(row.viewport, (Rect{10, 10, 200, 100}));
}

TEST(Viewport, OnlyADrawnRowThatReportsNotShowingIsScrolledOut) {
  Element row = make("table cell", {10, 300, 200, 20}, {});
  list_of_100_pixels().place(row, Drawn::kYes);
  EXPECT_TRUE(row.has(ElementState::kScrolledOut));
  Element hidden = make("table cell", {10, 300, 200, 20}, {});
  list_of_100_pixels().place(hidden, Drawn::kNo);
  EXPECT_FALSE(hidden.has(ElementState::kScrolledOut));
}

TEST(Viewport, ItemBelowAListIsScrolledOutButNotInAPage) {
  Element list = make("list", {10, 10, 200, 100}, {ElementState::kShowing});
  Element page = make("document web", {0, 0, 800, 600}, {ElementState::kShowing});
  Element item = make("list item", {10, 300, 200, 20}, {ElementState::kShowing});
  Viewport().place(list, Drawn::kYes);
  Viewport().of_children(list).place(item, Drawn::kYes);
  EXPECT_TRUE(item.has(ElementState::kScrolledOut));
  Viewport().place(page, Drawn::kYes);
  item = make("list item", {10, 300, 200, 20}, {ElementState::kShowing});
  Viewport().of_children(page).of_children(list).place(item, Drawn::kYes);
  EXPECT_TRUE(item.has(ElementState::kShowing));
}

TEST(Viewport, EntryOfAClosedMenuIsNotScrolledOut) {
  Element menu = make("menu", {10, 20, 50, 20}, {ElementState::kShowing});
  const Viewport list = list_of_100_pixels();
  list.place(menu, Drawn::kYes);
  Element entry = make("menu item", {10, 300, 100, 20}, {});
  list.of_children(menu).place(entry, Drawn::kYes);
  EXPECT_FALSE(entry.has(ElementState::kScrolledOut));
}

TEST(Viewport, ElementOfAHiddenPageIsNotScrolledOut) {
  Element page = make("panel", {10, 10, 200, 100}, {});
  list_of_100_pixels().place(page, Drawn::kNo);
  Element field = make("text", {10, 300, 100, 20}, {});
  list_of_100_pixels().of_children(page).place(field, Drawn::kYes);
  EXPECT_FALSE(field.has(ElementState::kScrolledOut));
}

TEST(Viewport, ElementWithoutAPlaceIsNotScrolledOut) {
  Element row = make("table cell", {}, {});
  list_of_100_pixels().place(row, Drawn::kYes);
  EXPECT_FALSE(row.has(ElementState::kScrolledOut));
}

// Regression: Swing reported a scroll pane 125 pixels beside its viewport, and elements left of it counted as scrolled
// out.
TEST(Viewport, ScrollPaneWithAWrongPlaceDoesNotClipItsViewport) {
  Element pane = make("scroll pane", {135, 10, 200, 100}, {ElementState::kShowing});
  Viewport().place(pane, Drawn::kYes);
  const Viewport in_pane = Viewport().of_children(pane);
  Element viewport = make("viewport", {10, 10, 200, 100}, {ElementState::kShowing});
  in_pane.place(viewport, Drawn::kYes);
  EXPECT_EQ(viewport.visible, viewport.bounds);
  Element row = make("label", {20, 30, 60, 20}, {ElementState::kShowing});
  in_pane.of_children(viewport).place(row, Drawn::kYes);
  EXPECT_EQ(row.visible, row.bounds);
}

TEST(Viewport, NestedScrollingContainersClipOneAnother) {
  Element inner = make("scroll pane", {10, 60, 300, 100}, {ElementState::kShowing});
  const Viewport outer = list_of_100_pixels();
  outer.place(inner, Drawn::kYes);
  Element button = make("push button", {0, 50, 400, 100}, {ElementState::kShowing});
  outer.of_children(inner).place(button, Drawn::kYes);
  EXPECT_EQ(button.visible, (Rect{10, 60, 200, 50}));
}

}  // namespace
}  // namespace da::actuator
