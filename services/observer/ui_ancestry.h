// Who is whose parent in a UI tree, and what belongs to an open menu. Nodes are named by their index in the tree, which
// is borrowed. Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::observer {

class UiAncestry {
 public:
  explicit UiAncestry(const v1::UiTree& tree);

  // Always before the node: what comes later in the tree is not believed to be a parent.
  std::optional<std::size_t> parent(std::size_t node) const { return parents_[node]; }
  bool has_children(std::size_t node) const { return has_children_[node]; }
  bool is_within(std::size_t node, std::size_t ancestor) const;

  // The open menu or list that it is an entry of, drawn on top of all windows: by the node that holds the entries.
  // The menus of a menu bar are no entries; what they hold is.
  std::optional<std::size_t> popup_of(std::size_t node) const;

 private:
  const v1::UiTree& tree_;
  std::vector<std::optional<std::size_t>> parents_;
  std::vector<bool> has_children_;
};

// Where open menus are.
class PopupAreas {
 public:
  // Entries that can be seen make up the menu's place.
  void cover(std::size_t popup, const Rect& entry);

  std::vector<Rect> bounds() const;

  // What menus that the node is not in leave of the bounds, around their centre; empty where one is over that.
  Rect uncovered(const Rect& bounds, std::size_t node, const UiAncestry& ancestry) const;

 private:
  struct Area {
    std::size_t popup;
    Rect bounds;
  };
  std::vector<Area> areas_;
};

}  // namespace da::observer
