// The elements of a UI tree that react to a click or typing, and their visible parts. Borrows the tree and the scene's
// windows. Pure; any thread. Desktop pixels; an element is its index in the tree.
#pragma once

#include <vector>

#include "da/v1/observation.pb.h"
#include "services/observer/elements/ui_ancestry.h"
#include "services/observer/elements/ui_visibility.h"

namespace da::observer {

class UsableElements {
 public:
  UsableElements(const v1::UiTree& tree, const Scene& scene);

  std::size_t count() const { return visible_.size(); }
  const v1::UiNode& node(std::size_t i) const { return tree_.nodes(static_cast<int>(i)); }
  const UiAncestry& ancestry() const { return ancestry_; }
  const Visibility& visibility() const { return seen_; }

  // The part inside its window, also if something covers it.
  const Rect& visible(std::size_t i) const { return visible_[i]; }

  // True if it reacts to a click or typing once it is enabled. A menu outside of a menu or menu bar is the open menu
  // itself, which does not react.
  bool is_usable(std::size_t i) const;

  // The part inside its window and its scroll panes, also if something covers it.
  Rect in_view(std::size_t i) const;

  // The uncovered part of in_view() around its center; empty if a window or an open menu covers the center.
  Rect clickable(std::size_t i) const;

  std::vector<Rect> open_menus() const { return popups_.bounds(); }

 private:
  const v1::UiTree& tree_;
  const Visibility seen_;
  const UiAncestry ancestry_;
  std::vector<Rect> visible_;
  PopupAreas popups_;
};

}  // namespace da::observer
