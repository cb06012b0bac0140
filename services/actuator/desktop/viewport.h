// Computes which part of each element its scrolling containers show.
//
// Toolkits disagree: some report "showing" for scrolled-out elements (Java), some report the unclipped place of a
// clipped row, some do both. A back end walks its tree with one Viewport for the children of each element. Pure; any
// thread. Desktop pixels.
#pragma once

#include <optional>

#include "services/actuator/desktop/roles/ui_tree.h"

namespace da::actuator {

// Whether a hidden element is meant to be visible: kNo for an entry of a closed menu.
enum class Drawn { kYes, kNo };

class Viewport {
 public:
  // The viewport of the desktop's children, which nothing clips.
  Viewport() = default;

  // Sets Element.visible, Element.viewport and kScrolledOut. Removes kShowing from an element that is clipped entirely.
  void place(Element& element, Drawn drawn) const;

  // The viewport of the children of `element`, on which place() has been called.
  Viewport of_children(const Element& element) const;

  // The viewport of the entries of an open menu that scrolls: they show only in `area`.
  Viewport of_menu(const Rect& area) const;

  // The same without what lies above `top`, such as the header of a table.
  Viewport below(int top) const;

 private:
  std::optional<Rect> area_;     // Unset: nothing clips the children.
  bool in_scroll_pane_ = false;  // Java reports wrong places of scroll panes, but right ones of their viewports:
  std::optional<Rect> around_;   // clip the viewport of a scroll pane by the area around the scroll pane.
  bool in_page_ = false;         // The children are in a browser's page.
  bool may_scroll_in_ = false;   // The children show, or would after scrolling.
};

}  // namespace da::actuator
