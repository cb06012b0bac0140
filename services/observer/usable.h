// Which elements of a UI tree one can click or type into, and what of them can be seen. Borrows the tree and the
// scene's windows. Pure; any thread. Desktop pixels; elements are named by their index in the tree.
#pragma once

#include <vector>

#include "da/v1/observation.pb.h"
#include "services/observer/ui_ancestry.h"
#include "services/observer/ui_visibility.h"

namespace da::observer {

class UsableElements {
 public:
  UsableElements(const v1::UiTree& tree, const Scene& scene);

  std::size_t count() const { return visible_.size(); }
  const v1::UiNode& node(std::size_t i) const { return tree_.nodes(static_cast<int>(i)); }
  const UiAncestry& ancestry() const { return ancestry_; }
  const Visibility& visibility() const { return seen_; }

  // What of it shows inside its window; what hides it is not asked.
  const Rect& visible(std::size_t i) const { return visible_[i]; }

  // A click or typing on it does something once it is enabled. A menu that is no entry of anything is the open menu
  // itself, not something to click.
  bool has_use(std::size_t i) const;

  // What of it shows inside its window and what it is scrolled in; what hides it is not asked.
  Rect in_view(std::size_t i) const;

  // What of that can be seen and clicked, around its centre. Empty where a window or an open menu is over that.
  Rect clickable(std::size_t i) const;

  // Where menus and lists are open.
  std::vector<Rect> open_menus() const { return popups_.bounds(); }

 private:
  const v1::UiTree& tree_;
  const Visibility seen_;
  const UiAncestry ancestry_;
  std::vector<Rect> visible_;
  PopupAreas popups_;
};

}  // namespace da::observer
