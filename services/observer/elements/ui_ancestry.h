// Parents of the nodes of a UI tree, and the entries of open menus. A node is its index in the tree, which is borrowed.
// Pure; any thread.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::observer {

class UiAncestry {
 public:
  explicit UiAncestry(const v1::UiTree& tree);

  // A parent always has a smaller index: claims of later parents are ignored, so that there are no cycles.
  std::optional<std::size_t> parent(std::size_t node) const { return parents_[node]; }
  bool has_children(std::size_t node) const { return has_children_[node]; }
  bool is_within(std::size_t node, std::size_t ancestor) const;
  std::string_view role(std::size_t node) const { return tree_.nodes(static_cast<int>(node)).role(); }

  // The open menu or list, on top of all windows, that has this node as an entry. The menus in a menu bar are not
  // entries; their items are.
  std::optional<std::size_t> popup_of(std::size_t node) const;

 private:
  const v1::UiTree& tree_;
  std::vector<std::optional<std::size_t>> parents_;
  std::vector<bool> has_children_;
};

// The areas of open menus.
class PopupAreas {
 public:
  // Adds a visible entry to the menu's area.
  void cover(std::size_t popup, const Rect& entry);

  std::vector<Rect> bounds() const;

  // The part of `bounds` around its center that other menus than the node's own leave free; empty if one covers the
  // center.
  Rect uncovered(const Rect& bounds, std::size_t node, const UiAncestry& ancestry) const;

 private:
  struct Area {
    std::size_t popup;
    Rect bounds;
  };
  std::vector<Area> areas_;
};

}  // namespace da::observer
