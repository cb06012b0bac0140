// Chooses points for hit tests that find the showing elements of a large table or list. Asking for its children instead
// would create an object in the application for each of them, and a sheet has a million per column. Two horizontal and
// two vertical lines find the columns and rows; then each crossing without a known element is tested. Pure; any thread.
// Pixels in the application's coordinates.
#pragma once

#include <span>
#include <vector>

#include "lib/base/geometry.h"

namespace da::actuator::x11 {

// Walks along two horizontal and two vertical lines, from each element to the next.
class LineWalk {
 public:
  explicit LineWalk(const Rect& area);
  // The next points to test: one for each line that has not ended.
  std::vector<Point> next() const;
  // `hits`: the extents of the elements at those points, in order; empty for none.
  void advance(std::span<const Rect> hits);

 private:
  struct Line {
    Point at;
    bool across;
    bool ended(const Rect& area) const { return across ? at.x >= area.right() : at.y >= area.bottom(); }
  };
  Rect area_;
  std::vector<Line> lines_;
};

// The middle of each crossing of a column and a row, except inside `hits`, the extents that were found on the lines.
std::vector<Point> points_of_crossings(const Rect& area, std::span<const Rect> hits);

}  // namespace da::actuator::x11
