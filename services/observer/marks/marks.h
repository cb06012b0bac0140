// Chooses the elements that get a number in the image, by which a model can name them: visible ones that react to a
// click or typing. Pure; any thread. Desktop pixels.
#pragma once

#include <string_view>
#include <vector>

#include "da/v1/observation.pb.h"
#include "services/observer/elements/ui_visibility.h"

namespace da::observer {

inline constexpr std::size_t kMostMarks = 99;  // Two digits; more would hide the screen.

// The element with the number index + 1. Points into the tree.
struct Mark {
  const v1::UiNode* node;
  std::string_view name;  // Its own name, else that of the label in it or beside it.
  Rect bounds;            // The clickable part.
};

struct Marks {
  std::vector<Mark> marks;     // Ordered by their numbers.
  std::vector<Rect> disabled;  // Elements that would have marks if they were enabled; labels avoid them.
};

// Numbers start with the focused window, then the others from front to back; in a window with open menus, then in
// reading order. If there are too many, windows farther back lose their marks first, and in a window the rows and items
// of lists. Elements narrower or lower than `smallest` get no mark.
Marks choose_marks(const v1::UiTree& tree, const Scene& scene, int smallest);

// The node for the observation: without its text, with the mark's name and bounds.
v1::UiNode describe(const Mark& mark);

}  // namespace da::observer
