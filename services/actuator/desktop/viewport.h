// What scrolling containers let show of the elements that they hold.
//
// Toolkits disagree on it: some say "showing" of what is scrolled out (Java), some give a row that is cut off its whole
// place, some tell both. A back end goes down its tree and keeps one Viewport for the children of each element. Pure;
// any thread. Desktop pixels.
#pragma once

#include <optional>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// Whether an element that does not show is meant to be seen: a closed menu's entry is not.
enum class Drawn { kYes, kNo };

class Viewport {
 public:
  // For the children of the desktop: nothing cuts them.
  Viewport() = default;

  // Sets visible and viewport of an element in this viewport, and whether it is scrolled out. An element that says it
  // shows, and of which nothing does, no longer shows.
  void place(Element& element, Drawn drawn) const;

  // For the children of that element, which was placed.
  Viewport of_children(const Element& element) const;

 private:
  std::optional<Rect> area_;     // Nothing cuts what it holds where it is unset.
  bool in_scroll_pane_ = false;  // Java tells wrong places of scroll panes, but right ones of their viewports:
  std::optional<Rect> around_;   // what cuts the scroll pane cuts its viewport.
  bool may_scroll_in_ = false;   // What it holds shows, or would after scrolling.
};

}  // namespace da::actuator
