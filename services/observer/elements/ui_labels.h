// Finds the label of an unnamed field: on the same line to its left, or just above it. Pure; any thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::observer {

struct VisibleNode {
  const v1::UiNode* node;
  Rect bounds;  // Its visible part, desktop pixels.
};

// For each node the name of its label; empty if it has a name, takes no input, or has no label near it. The views point
// into the nodes.
std::vector<std::string_view> labels_of_fields(std::span<const VisibleNode> nodes);

}  // namespace da::observer
