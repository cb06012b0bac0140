// The moves of a drag between the points that were asked for. Pure; any thread. Desktop pixels.
//
// Toolkits begin a drag only after several moves of the pressed button, and tell a drop target of it by the moves over
// that target, so a jump from the first point to the last one drops nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lib/base/geometry.h"

namespace da::actuator {

// Of a whole path that is at least this many pixels long.
inline constexpr int kLeastDragMoves = 8;
// Pixels between two moves of a long path.
inline constexpr int kDragStride = 24;

struct DragMove {
  Point to;
  std::uint32_t reached = 0;  // Points of the path that the pointer has reached with this move, the first one included.
};

// Every point of the path after the first is the end of a move, and the pointer stands still in no move (but where the
// path itself does). The last move is a short one, so that the target of a drop hears of it before the release.
std::vector<DragMove> drag_moves(std::span<const Point> path);

}  // namespace da::actuator
