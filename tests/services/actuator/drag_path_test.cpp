// Regression: a drag of two points jumped to its end, so toolkits that wait for moves did not start it.
#include "services/actuator/desktop/drag_path.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace da::actuator {
namespace {

std::vector<DragMove> moves(std::vector<Point> path) { return drag_moves(path); }

TEST(DragPath, AShortDragHasAtLeastEightMoves) {
  EXPECT_GE(moves({{10, 10}, {26, 10}}).size(), 8U);
  EXPECT_GE(moves({{0, 0}, {300, 200}}).size(), 8U);
}

TEST(DragPath, AMoveOfALongDragIsNoLongerThanTheStride) {
  Point at{1000, 700};
  for (const DragMove& move : moves({at, {-500, 20}, {-480, 900}})) {
    EXPECT_LE(std::abs(move.to.x - at.x), kDragStride);
    EXPECT_LE(std::abs(move.to.y - at.y), kDragStride);
    EXPECT_FALSE(move.to == at);
    at = move.to;
  }
}

TEST(DragPath, EveryPointOfThePathIsTheEndOfAMove) {
  const std::vector<Point> path{{0, 0}, {100, 7}, {93, 200}, {94, 200}};
  std::size_t next = 1;
  for (const DragMove& move : moves(path)) {
    EXPECT_GE(move.reached, next);
    if (move.reached > next) {
      ASSERT_LT(next, path.size());
      EXPECT_TRUE(move.to == path[next]) << next;
      ++next;
    }
  }
  EXPECT_EQ(next, path.size());
}

TEST(DragPath, LastMoveMayBeShorter) {
  const auto all = moves({{0, 0}, {400, 0}});
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[all.size() - 2].to.x, 398);
  EXPECT_EQ(all.back().to.x, 400);
}

TEST(DragPath, ManyClosePointsAddNoMoves) {
  std::vector<Point> path;
  for (int i = 0; i < 100; ++i) path.push_back({i * 5, i % 3});
  EXPECT_LE(moves(path).size(), 101U);
}

TEST(DragPath, APointThatIsRepeatedIsReached) {
  const auto all = moves({{5, 5}, {5, 5}});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().reached, 2U);
  EXPECT_TRUE(moves({{5, 5}}).empty());
  EXPECT_TRUE(moves({}).empty());
}

}  // namespace
}  // namespace da::actuator
