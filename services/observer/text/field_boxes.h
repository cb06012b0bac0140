// Finds text fields in the picture of a window that exposes no elements. Pure; any thread.
//
// A field is a rectangle of one colour, apart from its text, with a border or a colour other than around it. Its text
// begins at its left edge; a box with text only in its middle is a button. See docs/design/0051.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"
#include "lib/frames/tile_grid.h"
#include "services/observer/locate/located_target.h"

namespace da::observer {

// The fields inside of `area`, in pixels of the frame, in reading order.
std::vector<Rect> field_boxes(const frames::PixelView& frame, const Rect& area);

// The `index`-th single-line field in reading order, from 1 (0: the only one, or all if there are several).
std::vector<v1::Candidate> numbered_field(std::vector<Rect> boxes, std::uint32_t index);

// The field of each of these words: in the target's relation to it, or right of it, or else below it.
std::vector<v1::Candidate> fields_beside(std::span<const v1::Candidate> words, const std::vector<Rect>& boxes,
                                         const LocatedTarget& target);

}  // namespace da::observer
