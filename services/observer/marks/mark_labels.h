// Places the numbers of marked elements beside their boxes, where they hide least. Pure; any thread. Image pixels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lib/base/geometry.h"
#include "services/observer/frames/frame_store.h"
#include "services/observer/image/scale.h"

namespace da::observer {

struct LabelScene {
  frames::PixelView image;           // Labels avoid its text and edges.
  std::span<const Rect> boxes;       // The marked elements, inside the image.
  std::span<const Rect> others;      // Unmarked elements, to which a number must not seem to belong.
  std::span<const Rect> keep_clear;  // Other annotations of the image.
};

// The area of each box's label, inside the image if that is large enough. The preferred place is above the box's upper
// left corner, then others above, beside and below the box; inside of it is the last choice.
std::vector<Rect> place_labels(const LabelScene& scene, std::span<const Size> sizes);

// Pixels of the area that differ from their right or lower neighbour, without straight lines across it: an estimate of
// how much text it has.
int detail_of(const frames::PixelView& image, const Rect& area);

}  // namespace da::observer
