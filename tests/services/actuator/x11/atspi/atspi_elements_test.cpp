#include "services/actuator/desktop/x11/atspi/atspi_elements.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_long_menus.h"

namespace da::actuator::x11 {
namespace {

// Numbers of the AT-SPI enumeration AtspiRole.
constexpr std::uint32_t kDialog = 16, kFiller = 20, kFrame = 23, kItemList = 31, kItemOfList = 32, kSpin = 52,
                        kMenuBar = 34, kMenuItem = 35, kMenu = 33, kTable = 55, kTableCell = 56, kPanel = 39,
                        kPopupMenu = 41, kPushButton = 43, kRootPane = 46;
// Bits of AtspiStateType: enabled (8), sensitive (24), showing (25), visible (30).
constexpr std::uint64_t kShowing = 1ULL << 8U | 1ULL << 24U | 1ULL << 25U | 1ULL << 30U;

class AtspiElements : public testing::Test {
 protected:
  std::size_t add(std::uint32_t role, const std::string& name, const Rect& extents, std::size_t parent) {
    AccessibleNode node;
    node.ref = {":1.7", "/object/" + std::to_string(nodes_.size())};
    node.role = role;
    node.name = name;
    node.states = kShowing;
    node.extents = extents;
    node.parent = parent;
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }
  std::size_t frame() { return add(kFrame, "Window", {0, 0, 800, 600}, AccessibleNode::kNoParent); }
  bool shows(const std::string& name, const FrameWindow& place = {"window", {}, true}) const {
    const auto elements = elements_of(nodes_, 4711, place);
    const auto found = std::ranges::find(elements, name, &Element::name);
    EXPECT_NE(found, elements.end()) << name;
    return found != elements.end() && found->has(ElementState::kShowing);
  }

  std::vector<AccessibleNode> nodes_;
};

TEST_F(AtspiElements, HandleConvertsToItsObjectAndBack) {
  const AccessibleRef ref{":1.7", "/object/1"};
  EXPECT_EQ(ref_of(handle_of(ref)), ref);
  EXPECT_EQ(ref_of({"no object"}), std::nullopt);
  EXPECT_EQ(ref_of({":1.7\nno path"}), std::nullopt);
}

TEST_F(AtspiElements, ArePlacedRelativeToTheWindow) {
  frame();
  const auto elements = elements_of(nodes_, 4711, {"window", {30, 40}, true});
  EXPECT_EQ(elements.front().bounds, (Rect{30, 40, 800, 600}));
  EXPECT_EQ(elements.front().window_id, "window");
  EXPECT_EQ(elements.front().pid, 4711U);
}

TEST_F(AtspiElements, EntriesOfALongMenuShowBetweenItsArrows) {
  const std::size_t menu = add(kMenu, "", {100, 0, 200, 600}, frame());
  for (int i = 0; i < 40; ++i) add(kMenuItem, "Entry " + std::to_string(i), {100, 30 * i - 300, 200, 30}, menu);
  find_menu_entries(nodes_);
  EXPECT_EQ(area_of_entries(nodes_[menu]), (Rect{100, 30, 200, 540}));
  for (const char* name : {"Entry 5", "Entry 10", "Entry 29", "Entry 35"}) EXPECT_FALSE(shows(name)) << name;
  for (const char* name : {"Entry 11", "Entry 28"}) EXPECT_TRUE(shows(name)) << name;
  const auto elements = elements_of(nodes_, 4711, {"window", {}, true});
  const auto hidden = std::ranges::find(elements, "Entry 35", &Element::name);
  EXPECT_TRUE(hidden->has(ElementState::kScrolledOut));
  EXPECT_EQ(hidden->viewport, (Rect{100, 30, 200, 540}));
}

TEST_F(AtspiElements, EntriesBesideTheTitleOfTheirMenuAllShow) {
  const std::size_t menu = add(kMenu, "X", {100, 0, 20, 25}, frame());
  for (int i = 0; i < 3; ++i) add(kMenuItem, "Entry " + std::to_string(i), {100, 25 + 30 * i, 200, 30}, menu);
  find_menu_entries(nodes_);
  EXPECT_TRUE(area_of_entries(nodes_[menu]).empty());
  EXPECT_TRUE(shows("Entry 2"));
}

TEST_F(AtspiElements, InvisibleCellOfAQtTableIsScrolledOut) {
  constexpr std::uint64_t kManages = 1ULL << 31U;
  constexpr std::uint64_t kInvisible = 1ULL << 8U | 1ULL << 24U | 1ULL << 22U;
  const std::size_t table = add(kTable, "", {0, 0, 200, 100}, frame());
  nodes_[table].states |= kManages;
  const std::size_t cell = add(kTableCell, "Cell", {0, 300, 100, 20}, table);
  nodes_[cell].states = kInvisible;
  const auto elements = elements_of(nodes_, 4711, {"window", {}, true});
  EXPECT_TRUE(elements.back().has(ElementState::kScrolledOut));
}

// Bug: a click on "Ask" chose "Greet", because Java reports the places of menu items one item too high.
TEST_F(AtspiElements, ItemsReportedAboveTheirMenuDoNotShow) {
  const std::size_t menu = add(kPopupMenu, "menu", {10, 100, 200, 60}, frame());
  add(kMenuItem, "Greet", {10, 80, 200, 30}, menu);
  add(kMenuItem, "Ask", {10, 110, 200, 30}, menu);
  EXPECT_FALSE(shows("Greet"));
  EXPECT_FALSE(shows("Ask"));
  EXPECT_TRUE(shows("menu"));
}

TEST_F(AtspiElements, ItemsOfNormalAndScrollingMenusShow) {
  const std::size_t top = frame();
  const std::size_t menu = add(kPopupMenu, "menu", {10, 100, 200, 60}, top);
  add(kMenuItem, "Greet", {10, 100, 200, 30}, menu);
  add(kMenuItem, "Ask", {10, 130, 200, 30}, menu);
  EXPECT_TRUE(shows("Greet"));
  EXPECT_TRUE(shows("Ask"));
  const std::size_t scrolling = add(kPopupMenu, "long menu", {300, 100, 200, 60}, top);
  add(kMenuItem, "scrolled out", {300, 70, 200, 30}, scrolling);
  add(kMenuItem, "within", {300, 100, 200, 30}, scrolling);
  add(kMenuItem, "below", {300, 160, 200, 30}, scrolling);
  EXPECT_TRUE(shows("within"));
}

// LibreOffice has two menu bars with the same menus.
TEST_F(AtspiElements, MenusOfAMenuBarWithoutHeightDoNotShow) {
  const std::size_t top = frame();
  add(kMenuItem, "File of the flat one", {0, 0, 40, 20}, add(kMenuBar, "flat", {0, 0, 800, 0}, top));
  add(kMenuItem, "File", {0, 0, 40, 20}, add(kMenuBar, "shown", {0, 0, 800, 20}, top));
  EXPECT_FALSE(shows("File of the flat one"));
  EXPECT_TRUE(shows("File"));
}

// Bug: a row of a hidden page was clicked where the shown page has nothing, because Qt says that it shows.
TEST_F(AtspiElements, RowsOfAListWithoutAPlaceDoNotShow) {
  const std::size_t top = frame();
  add(kItemOfList, "hidden", {10, 10, 100, 20}, add(kItemList, "list of a hidden page", {}, top));
  add(kItemOfList, "shown", {10, 10, 100, 20}, add(kItemList, "list", {10, 10, 100, 200}, top));
  EXPECT_FALSE(shows("hidden"));
  EXPECT_TRUE(shows("shown"));
}

// Bug: of a GTK4 drop-down list, the item above the wanted one was clicked. GTK reports the popover at 0,86, but the
// server shows it, with room for its tail, at 487,442.
TEST_F(AtspiElements, PopoversAreWhereTheServerShowsTheirWindow) {
  const std::size_t top = frame();
  const std::size_t list = add(kPushButton, "", {0, 80, 300, 34}, top);
  const std::size_t popover = add(kFiller, "", {0, 86, 306, 120}, list);
  nodes_[popover].popover = true;
  add(kItemOfList, "Beta", {12, 137, 282, 16}, popover);
  FrameWindow place{.window_id = "window", .map = {490, 330}};
  EXPECT_EQ(elements_of(nodes_, 1, place).back().unplaced,
            "its application reports a place where the screen does not "
            "show it");
  place.popups = {{487, 442, 306, 126}};
  EXPECT_EQ(elements_of(nodes_, 1, place).back().bounds, (Rect{499, 499, 282, 16}));
  place.popups = {{487, 200, 306, 126}};
  EXPECT_EQ(elements_of(nodes_, 1, place).back().bounds, (Rect{499, 251, 282, 16})) << "above the list";
  place.popups.push_back({600, 600, 306, 126});
  EXPECT_FALSE(elements_of(nodes_, 1, place).back().unplaced.empty()) << "either window may be the popover's";
}

TEST_F(AtspiElements, SpinButtonThatTakesTextIsEditable) {
  const std::size_t top = frame();
  nodes_[add(kSpin, "Amount", {10, 10, 100, 20}, top)].interfaces = {"EditableText"};
  add(kSpin, "Shown only", {10, 40, 100, 20}, top);
  const auto elements = elements_of(nodes_, 4711, {"window", {}, true});
  EXPECT_TRUE(elements[1].has(ElementState::kEditable));
  EXPECT_FALSE(elements[2].has(ElementState::kEditable));
}

// GTK3 reports a dialog as showing before its window exists.
TEST_F(AtspiElements, DialogWithoutAWindowDoesNotShow) {
  const std::size_t dialog = add(kDialog, "Question", {0, 0, 300, 200}, AccessibleNode::kNoParent);
  add(kPushButton, "Yes", {10, 10, 80, 30}, dialog);
  EXPECT_FALSE(shows("Question", {"", {}, true}));
  EXPECT_TRUE(is_opening(nodes_[dialog], {"", {}, true}));
  EXPECT_TRUE(shows("Question", {"window", {}, true}));
  EXPECT_FALSE(is_opening(nodes_[dialog], {"window", {}, true}));
}

// Extents from a Calc that has just started; the height of its menu bar is 25 pixels.
TEST_F(AtspiElements, RootPaneGetsThePlaceOfThePanelThatItFills) {
  const std::size_t panel = add(kPanel, "widget", {0, 44, 1280, 756}, frame());
  const std::size_t root = add(kRootPane, "root", {0, 19, 1280, 756}, panel);
  const std::size_t bar = add(kPanel, "bar", {260, 105, 956, 22}, root);
  const std::size_t edit = add(kPanel, "GTK's own part of the bar", {260, 130, 956, 22}, bar);
  add(kPushButton, "drawn", {123, 174, 82, 17}, root);
  add(kPushButton, "GTK's own", {1200, 130, 16, 22}, edit);
  add(kPushButton, "without a place", {}, root);
  const auto elements = elements_of(nodes_, 4711, {"window", {5, 7}, true});
  const auto place = [&](const std::string& name) { return std::ranges::find(elements, name, &Element::name)->bounds; };
  EXPECT_EQ(place("root"), (Rect{5, 51, 1280, 756}));
  EXPECT_EQ(place("drawn"), (Rect{128, 206, 82, 17}));
  EXPECT_EQ(place("bar"), (Rect{265, 137, 956, 22}));
  EXPECT_EQ(place("GTK's own part of the bar"), (Rect{265, 137, 956, 22}));
  EXPECT_EQ(place("GTK's own"), (Rect{1205, 137, 16, 22}));
  EXPECT_TRUE(place("without a place").empty());
}

TEST_F(AtspiElements, RootPaneOfAnotherSizeKeepsItsPlace) {
  const std::size_t panel = add(kPanel, "widget", {0, 44, 1280, 756}, frame());
  add(kRootPane, "root", {0, 69, 1280, 731}, panel);
  EXPECT_EQ(elements_of(nodes_, 4711, {"window", {}, true}).back().bounds, (Rect{0, 69, 1280, 731}));
}

// Extents from Chromium with --force-device-scale-factor=2: it scales its controls, but not its pages.
TEST_F(AtspiElements, PagesOfAScaledBrowserArePlacedByThePixelsThatTheyReport) {
  constexpr std::uint32_t kPage = 95;  // "document web"
  const std::size_t top = add(kFrame, "Browser", {50, 60, 508, 300}, AccessibleNode::kNoParent);
  add(kPushButton, "Back", {60, 106, 34, 34}, top);
  const std::size_t view = add(kPanel, "view", {54, 147, 500, 209}, top);
  const std::size_t page = add(kPage, "page", {108, 294, 1000, 418}, view);
  add(kPushButton, "in page", {108, 294, 108, 43}, page);
  ASSERT_EQ(role_name(kPage), "document web");
  const FrameWindow scaled{"window", {0, 0, 2}, true};
  const auto elements = elements_of(nodes_, 4711, scaled);
  const auto place = [&](const std::string& name) { return std::ranges::find(elements, name, &Element::name)->bounds; };
  EXPECT_EQ(place("Back"), (Rect{120, 212, 68, 68}));
  EXPECT_EQ(place("page"), (Rect{108, 294, 1000, 418}));
  EXPECT_EQ(place("in page"), (Rect{108, 294, 108, 43}));
  nodes_[page].extents = {54, 147, 500, 209};  // A browser that scales its pages.
  nodes_.back().extents = {54, 147, 54, 21};
  EXPECT_EQ(elements_of(nodes_, 4711, scaled).back().bounds, (Rect{108, 294, 108, 42}));
  nodes_[page].extents = {54, 147, 700, 300};
  EXPECT_EQ(elements_of(nodes_, 4711, scaled).back().bounds, Rect{});
  EXPECT_FALSE(elements_of(nodes_, 4711, scaled).back().unplaced.empty());
}

TEST_F(AtspiElements, WithoutAKnownPlaceAreNowhere) {
  add(kPushButton, "Yes", {10, 10, 80, 30}, frame());
  const auto elements = elements_of(nodes_, 4711, {"window", {}, true, {}, "why"});
  EXPECT_EQ(elements.back().bounds, Rect{});
  EXPECT_EQ(elements.back().visible, Rect{});
  EXPECT_EQ(elements.back().unplaced, "why");
}

// Bug: in a list that is hardly a row high, the header was clicked instead of the row below it.
TEST_F(AtspiElements, HeaderOfATableHidesTheRowsBelowIt) {
  constexpr std::uint32_t kTableCell = 56, kTreeTable = 66;
  const std::size_t table = add(kTreeTable, "Fruits", {0, 0, 300, 40}, frame());
  nodes_[table].header = {0, 0, 300, 24};
  add(kTableCell, "fruit250", {0, 8, 300, 20}, table);
  const auto row = elements_of(nodes_, 4711, {"window", {}, true}).back();
  EXPECT_EQ(row.visible, (Rect{0, 24, 300, 4}));
  EXPECT_EQ(row.viewport, (Rect{0, 24, 300, 16}));
}

TEST_F(AtspiElements, DropDownListIsNamedByItsLabelAndShowsItsItem) {
  constexpr std::uint32_t kComboBox = 11;
  const std::size_t list = add(kComboBox, "S", {10, 10, 80, 24}, frame());
  nodes_[list].label = "Size";
  const auto element = elements_of(nodes_, 4711, {"window", {}, true}).back();
  EXPECT_EQ(element.name, "Size");
  EXPECT_EQ(element.text, "S");
}

}  // namespace
}  // namespace da::actuator::x11
