// Which elements get a number in the image: those that one can click or type into and that a person can see, so that a
// model can name one by its number. Pure; any thread. Desktop pixels.
#pragma once

#include <string_view>
#include <vector>

#include "da/v1/observation.pb.h"
#include "services/observer/ui_visibility.h"

namespace da::observer {

inline constexpr std::size_t kMostMarks = 99;  // Two digits; more would hide the screen.

// The element that carries the number index + 1.
struct Mark {
  const v1::UiNode* node;  // Of the tree.
  std::string_view name;   // Its own, or where it has none that of the label in it or beside it. Of the tree.
  Rect bounds;             // What of it can be seen and clicked.
};

struct Marks {
  std::vector<Mark> marks;     // In the order of their numbers.
  std::vector<Rect> disabled;  // Where elements are that would be marked if they reacted: no number may seem theirs.
};

// The order of the numbers: the focused window's first, then the others from front to back; within a window what
// is in open menus first; and then as one reads. Where there are too many, what windows farther back hold has to go,
// and within a window the rows and items of lists. What is smaller than `smallest` in width or height has no mark.
Marks choose_marks(const v1::UiTree& tree, const Scene& scene, int smallest);

// As the observation says it: the node without its text, with the mark's name and bounds.
v1::UiNode describe(const Mark& mark);

}  // namespace da::observer
