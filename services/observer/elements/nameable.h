// Lists the elements that a target can name, for an inspector. Pure; any thread. Desktop pixels.
#pragma once

#include "da/v1/observation.pb.h"
#include "services/observer/elements/ui_visibility.h"

namespace da::observer {

enum class Listed {
  kNamed,
  kAll,  // Also unnamed elements that react to a click or typing, and hidden ones, with the reason in `hidden`.
};

// The visible elements with a name, in the tree's order. `bounds` is the visible part; an unnamed field gets the name
// of its label. Elements whose center is under another window or an open menu are left out.
v1::UiTree nameable(const v1::UiTree& tree, const Scene& scene, Listed listed = Listed::kNamed);

}  // namespace da::observer
