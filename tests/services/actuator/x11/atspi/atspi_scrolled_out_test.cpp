#include "services/actuator/desktop/x11/atspi/toolkits/atspi_scrolled_out.h"

#include <gtest/gtest.h>

namespace da::actuator::x11 {
namespace {

// Numbers of AtspiRole, and bits of AtspiStateType: showing (25), visible (30).
constexpr std::uint32_t kListBox = 98, kListItem = 32, kLabel = 29, kViewport = 68;
constexpr std::uint64_t kVisible = 1ULL << 30U;
constexpr std::uint64_t kShows = kVisible | 1ULL << 25U;

class ScrolledOut : public testing::Test {
 protected:
  std::size_t add(std::uint32_t role, const Rect& extents, std::size_t parent) {
    AccessibleNode node;
    node.role = role;
    node.states = kShows;
    node.extents = extents;
    node.parent = parent;
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }
  std::size_t add_unplaced(std::uint32_t role, int width, int height, std::size_t parent) {
    const std::size_t i = add(role, {}, parent);
    nodes_[i].states = kVisible;
    nodes_[i].unplaced = {0, 0, width, height};
    return i;
  }

  std::vector<AccessibleNode> nodes_;
};

// Bug: a row of a GTK3 list box below the fold "does not show", because GTK3 reports no place for it.
TEST_F(ScrolledOut, RowsAreStackedBelowTheLastPlacedOne) {
  const std::size_t view = add(kViewport, {0, 0, 300, 40}, AccessibleNode::kNoParent);
  const std::size_t list = add(kListBox, {0, 0, 300, 100}, view);
  add(kListItem, {0, 0, 300, 20}, list);
  add(kListItem, {0, 20, 300, 20}, list);
  add_unplaced(kListItem, 300, 20, list);
  const std::size_t last = add_unplaced(kListItem, 300, 20, list);
  const std::size_t label = add_unplaced(kLabel, 200, 16, last);
  place_scrolled_out_widgets(nodes_);
  EXPECT_EQ(nodes_[last].extents, (Rect{0, 60, 300, 20}));
  EXPECT_EQ(nodes_[label].extents, (Rect{0, 60, 200, 16}));
}

TEST_F(ScrolledOut, RowsBeforeTheFirstPlacedOneAreAboveIt) {
  const std::size_t view = add(kViewport, {0, 0, 300, 40}, AccessibleNode::kNoParent);
  const std::size_t list = add(kListBox, {0, -40, 300, 100}, view);
  const std::size_t first = add_unplaced(kListItem, 300, 20, list);
  add_unplaced(kListItem, 300, 20, list);
  add(kListItem, {0, 0, 300, 20}, list);
  place_scrolled_out_widgets(nodes_);
  EXPECT_EQ(nodes_[first].extents, (Rect{0, -40, 300, 20}));
}

TEST_F(ScrolledOut, HiddenPagesOfAContainerThatFitsStayUnplaced) {
  const std::size_t view = add(kViewport, {0, 0, 300, 100}, AccessibleNode::kNoParent);
  const std::size_t stack = add(kListBox, {0, 0, 300, 100}, view);
  const std::size_t page = add_unplaced(kLabel, 300, 20, stack);
  place_scrolled_out_widgets(nodes_);
  EXPECT_TRUE(nodes_[page].extents.empty());
}

}  // namespace
}  // namespace da::actuator::x11
