// Where to ask "what is here?" so as to find the elements of a large table or list that show, without asking the
// application for its children: each child that is asked for becomes an object there, and a sheet has a million in a
// column, and LibreOffice makes one for each answer. First two lines across and two down find the columns and rows; then
// each crossing of the two is asked where nothing is known yet. Pure; any thread. Pixels, as the application counts them.
#pragma once

#include <span>
#include <vector>

#include "lib/base/geometry.h"

namespace da::actuator::x11 {

// Goes along two lines across and two lines down, from each element to the next.
class LineWalk {
 public:
  explicit LineWalk(const Rect& area);
  // Where to ask next: one point of each line that is not at its end.
  std::vector<Point> next() const;
  // The extents of what is at those points, in their order; empty where nothing is.
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

// The middle of each crossing of a column and a row, but for those that are within `hits`: the extents that were found
// on the lines.
std::vector<Point> points_of_crossings(const Rect& area, std::span<const Rect> hits);

}  // namespace da::actuator::x11
