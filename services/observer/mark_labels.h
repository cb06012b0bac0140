// Where the numbers of marked elements go: beside their boxes, where they hide least. Pure; any thread. Image pixels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lib/base/geometry.h"
#include "services/observer/frame_store.h"
#include "services/observer/scale.h"

namespace da::observer {

struct LabelScene {
  PixelView image;                   // What is below the labels: text and edges in it are kept clear where possible.
  std::span<const Rect> boxes;       // Of the marked elements, inside the image.
  std::span<const Rect> others;      // Elements without a mark, which a number must not seem to belong to.
  std::span<const Rect> keep_clear;  // What else is drawn over the image.
};

// A place for each box's label, in the order of the boxes, inside the image where that is large enough. Outside the
// upper left corner where nothing is there; then above, beside and below it; within the box last.
std::vector<Rect> place_labels(const LabelScene& scene, std::span<const Size> sizes);

// Pixels of the area that stand out from their right or lower neighbour, but for straight lines across it: about how
// much there is to read.
int detail_of(const PixelView& image, const Rect& area);

}  // namespace da::observer
