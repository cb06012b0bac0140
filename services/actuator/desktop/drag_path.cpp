#include "services/actuator/desktop/drag_path.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace da::actuator {
namespace {

// Pixels of the last move: short enough to stay over a small target.
constexpr int kLastStride = 2;

int length_of(Point from, Point to) { return std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)); }

// The point at `part`/`whole` of the line, rounded to the nearest pixel.
Point between(Point from, Point to, int part, int whole) {
  const auto along = [&](int a, int b) {
    return a + static_cast<int>(std::lround(static_cast<double>(b - a) * part / whole));
  };
  return {along(from.x, to.x), along(from.y, to.y)};
}

}  // namespace

std::vector<DragMove> drag_moves(std::span<const Point> path) {
  std::int64_t whole = 0;
  for (std::size_t i = 1; i < path.size(); ++i) whole += length_of(path[i - 1], path[i]);
  const int stride = static_cast<int>(std::clamp<std::int64_t>(whole / kLeastDragMoves, 1, kDragStride));
  std::vector<DragMove> moves;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Point from = path[i - 1];
    const Point to = path[i];
    const int length = length_of(from, to);
    const auto reached = static_cast<std::uint32_t>(i);
    const int steps = (length + stride - 1) / stride;
    for (int step = 1; step < steps; ++step) moves.push_back({between(from, to, step, steps), reached});
    const bool last = i + 1 == path.size();
    if (last && length > 2 * kLastStride) {
      const Point near = between(from, to, length - kLastStride, length);
      if (moves.empty() || !(moves.back().to == near)) moves.push_back({near, reached});
    }
    moves.push_back({to, reached + 1});
  }
  return moves;
}

}  // namespace da::actuator
