#include "services/actuator/desktop/x11/atspi/toolkits/atspi_hit_points.h"

#include <algorithm>

namespace da::actuator::x11 {
namespace {

// The step at a point without an element, and the minimum step after an element whose reported place is too small.
// Narrower rows and columns may be missed.
constexpr int kSpacing = 10;
constexpr int kLeastStep = 4;
constexpr std::size_t kMostCrossings = 2000;

struct Span {
  int from = 0;
  int to = 0;  // Exclusive.
};

// The middles of the spans. A span that overlaps an earlier one by half is the same column or row.
std::vector<int> middles(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, [](const Span& span) { return std::pair(span.from, span.to); });
  std::vector<int> found;
  int covered = 0;
  for (const Span& span : spans) {
    const int middle = span.from + (span.to - span.from) / 2;
    if (!found.empty() && middle < covered) continue;
    found.push_back(middle);
    covered = span.to;
  }
  return found;
}

}  // namespace

LineWalk::LineWalk(const Rect& area) : area_(area) {
  if (area.empty()) return;
  for (const int part : {3, 2}) {
    lines_.push_back({{area.x, area.y + area.height / part}, true});
    lines_.push_back({{area.x + area.width / part, area.y}, false});
  }
}

std::vector<Point> LineWalk::next() const {
  std::vector<Point> points;
  for (const Line& line : lines_) points.push_back(line.at);
  return points;
}

void LineWalk::advance(std::span<const Rect> hits) {
  for (std::size_t i = 0; i < lines_.size() && i < hits.size(); ++i) {
    auto& [at, across] = lines_[i];
    int& position = across ? at.x : at.y;
    const int end = across ? hits[i].right() : hits[i].bottom();
    position = hits[i].contains(at) ? std::max(end, position + kLeastStep) : position + kSpacing;
  }
  std::erase_if(lines_, [this](const Line& line) { return line.ended(area_); });
}

std::vector<Point> points_of_crossings(const Rect& area, std::span<const Rect> hits) {
  std::vector<Span> columns;
  std::vector<Span> rows;
  for (const Rect& hit : hits) {
    const Rect shown = intersection(hit, area);
    if (shown.empty()) continue;
    columns.push_back({shown.x, shown.right()});
    rows.push_back({shown.y, shown.bottom()});
  }
  // An element of more than half of the area's height is no cell: it may contain others.
  const auto known = [&](Point point) {
    return std::ranges::any_of(hits,
                               [&](const Rect& hit) { return hit.contains(point) && 2 * hit.height <= area.height; });
  };
  std::vector<Point> points;
  for (const int y : middles(rows)) {
    for (const int x : middles(columns)) {
      if (points.size() < kMostCrossings && !known({x, y})) points.push_back({x, y});
    }
  }
  return points;
}

}  // namespace da::actuator::x11
