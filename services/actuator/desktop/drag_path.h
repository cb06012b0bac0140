// The pointer moves of a drag along a path. Pure; any thread. Desktop pixels.
//
// Toolkits start a drag only after several moves with the pressed button, and notify a drop target only of moves over
// it. A single jump from the first point to the last one would therefore drop nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lib/base/geometry.h"

namespace da::actuator {

// Moves of a path that is at least this many pixels long.
inline constexpr int kLeastDragMoves = 8;
// Pixels between two moves of a long path.
inline constexpr int kDragStride = 24;

struct DragMove {
  Point to;
  std::uint32_t reached = 0;  // Points of the path reached after this move, including the first point.
};

// Every point after the first ends a move. Each move changes the position, unless the path repeats a point. The last
// move is short, so that the drop target is notified before the release.
std::vector<DragMove> drag_moves(std::span<const Point> path);

}  // namespace da::actuator
