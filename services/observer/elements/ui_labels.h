// Finds the label of an unnamed field, box or switch, and of a drop-down list, which may be named by its value: on the
// same line to its left (to the right of a box), or just above it. A field without a label has its placeholder as
// label. Pure; any thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"
#include "services/observer/elements/ui_ancestry.h"

namespace da::observer {

struct VisibleNode {
  const v1::UiNode* node;
  Rect bounds;  // Its visible part, desktop pixels.
};

// Returns the name of each node's label; empty if its own name is enough, it takes no input, or it has neither a label
// near it nor a placeholder. The views point into the nodes.
std::vector<std::string_view> labels_of_fields(std::span<const VisibleNode> nodes);

// Returns for each node of the tree the first label inside, if it is a row or item without a name; empty for others.
std::vector<std::string_view> labels_in_rows(const v1::UiTree& tree, const UiAncestry& ancestry);

}  // namespace da::observer
