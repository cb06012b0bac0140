#include "lib/base/geometry.h"

#include <gtest/gtest.h>

namespace da {
namespace {

TEST(Rect, IsHalfOpen) {
  const Rect rect{-10, 5, 10, 2};
  EXPECT_TRUE(rect.contains({-10, 5}));
  EXPECT_TRUE(rect.contains({-1, 6}));
  EXPECT_FALSE(rect.contains({0, 6}));
  EXPECT_FALSE(rect.contains({-1, 7}));
}

TEST(Rect, IntersectionOfRectanglesThatDoNotTouchIsEmpty) {
  EXPECT_TRUE(intersection({0, 0, 5, 5}, {5, 0, 5, 5}).empty());
  EXPECT_EQ(intersection({0, 0, 5, 5}, {-2, 3, 4, 9}), (Rect{0, 3, 2, 2}));
}

TEST(Rect, BoundingIgnoresEmptyRectangles) {
  EXPECT_EQ(bounding({}, {3, 4, 5, 6}), (Rect{3, 4, 5, 6}));
  EXPECT_EQ(bounding({0, 0, 1, 1}, {9, 9, 1, 1}), (Rect{0, 0, 10, 10}));
}

}  // namespace
}  // namespace da
