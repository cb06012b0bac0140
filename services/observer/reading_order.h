// The order in which a person reads the elements of a UI tree: what stands together stays together, and within it by
// rows from the top, each from the left. Trees come in any order of siblings. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "lib/base/geometry.h"
#include "services/observer/ui_ancestry.h"

namespace da::observer {

// For each node its place in that order. `bounds` by node.
std::vector<std::size_t> reading_order(const UiAncestry& ancestry, std::span<const Rect> bounds);

}  // namespace da::observer
