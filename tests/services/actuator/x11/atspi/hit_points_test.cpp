#include <gmock/gmock.h>

#include "services/actuator/desktop/x11/atspi/toolkits/atspi_hit_points.h"

namespace da::actuator::x11 {
namespace {

// Cells of a sheet of 80x20 pixels.
std::vector<Rect> cells_at(const std::vector<Point>& points) {
  std::vector<Rect> cells;
  for (const Point& point : points) cells.push_back({point.x / 80 * 80, point.y / 20 * 20, 80, 20});
  return cells;
}

std::vector<Rect> walk(const Rect& area) {
  std::vector<Rect> hits;
  for (LineWalk lines(area); !lines.next().empty();) {
    const auto cells = cells_at(lines.next());
    hits.insert(hits.end(), cells.begin(), cells.end());
    lines.advance(cells);
  }
  return hits;
}

TEST(HitPoints, EachShowingCellOfASheetIsTestedOnce) {
  const Rect area{0, 0, 400, 200};
  std::vector<Rect> cells = walk(area);
  EXPECT_EQ(cells.size(), 2U * (5 + 10));  // No cell is tested twice along a line.
  std::ranges::sort(cells, {}, [](const Rect& cell) { return std::pair(cell.x, cell.y); });
  const auto again = std::ranges::unique(cells);
  cells.erase(again.begin(), again.end());
  for (const Rect& cell : cells_at(points_of_crossings(area, cells))) cells.push_back(cell);
  ASSERT_EQ(cells.size(), 5U * 10U);
  for (std::size_t i = 0; i < cells.size(); ++i)
    EXPECT_EQ(std::count(cells.begin(), cells.end(), cells[i]), 1) << cells[i].x << "," << cells[i].y;
}

TEST(HitPoints, ClippedCellsAreTestedWithinTheArea) {
  const Rect area{30, 10, 100, 35};
  for (const Point& point : points_of_crossings(area, walk(area)))
    EXPECT_TRUE(area.contains(point)) << point.x << "," << point.y;
}

TEST(HitPoints, EmptyAreaHasNoPoints) {
  EXPECT_TRUE(LineWalk({10, 10, 0, 50}).next().empty());
  EXPECT_TRUE(points_of_crossings({0, 0, 100, 100}, {}).empty());
}

TEST(HitPoints, WalkContinuesWhereNoElementIs) {
  LineWalk lines({0, 0, 100, 100});
  int steps = 0;
  for (; !lines.next().empty(); ++steps) lines.advance(std::vector<Rect>(lines.next().size()));
  EXPECT_EQ(steps, 10);
}

// Extents are untrusted.
TEST(HitPoints, ElementOfTheWholeAreaHidesNoOthers) {
  const std::vector<Rect> hits{{0, 0, 100, 100}, {0, 0, 50, 20}, {50, 0, 50, 20}};
  EXPECT_THAT(points_of_crossings({0, 0, 100, 100}, hits), testing::ElementsAre(Point{25, 50}, Point{50, 50}));
}

// Extents are untrusted.
TEST(HitPoints, NumberOfCrossingsIsLimitedToTwoThousand) {
  std::vector<Rect> hits;
  for (int i = 0; i < 1000; ++i) hits.push_back({i, i, 1, 1});
  EXPECT_EQ(points_of_crossings({0, 0, 1000, 1000}, hits).size(), 2000U);
}

}  // namespace
}  // namespace da::actuator::x11
