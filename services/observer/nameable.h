// What of a UI tree a person can see and name, for an inspector: the names that a target may have. Pure; any thread.
// Desktop pixels.
#pragma once

#include "da/v1/observation.pb.h"
#include "services/observer/ui_visibility.h"

namespace da::observer {

// The elements that have a name and show, in the tree's order: `bounds` is what shows of each, and an unnamed field has
// the name of its label. What another window or an open menu hides at its middle is left out.
v1::UiTree nameable(const v1::UiTree& tree, const Scene& scene);

}  // namespace da::observer
