// Which areas count as drawn again and again: those of a clock or an animation, not those of one change.
#include "services/actuator/proof/repeated_drawing.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

constexpr Rect kClock{10, 10, 60, 20};
constexpr Rect kDialog{100, 100, 300, 200};

MonoTime at(int ms) { return MonoTime(Milliseconds(10'000 + ms)); }

class RepeatedDrawingTest : public testing::Test {
 protected:
  void note(int ms, const Rect& area) { drawn_.note(at(ms), {&area, 1}); }

  RepeatedDrawing drawn_;
};

TEST_F(RepeatedDrawingTest, AreaThatWasDrawnOnceIsNotRepeated) {
  note(0, kClock);
  EXPECT_TRUE(drawn_.between(at(0), at(100)).empty());
}

TEST_F(RepeatedDrawingTest, AreaThatWasDrawnAgainLaterIsRepeated) {
  note(0, kClock);
  note(500, kDialog);
  note(1'000, kClock);
  EXPECT_EQ(drawn_.between(at(0), at(1'100)), std::vector{kClock});
}

TEST_F(RepeatedDrawingTest, NewDialogThatIsDrawnInPartsIsNotRepeated) {
  note(0, kDialog);
  note(50, {120, 120, 20, 20});
  note(190, {120, 160, 20, 20});
  EXPECT_TRUE(drawn_.between(at(0), at(300)).empty());
}

TEST_F(RepeatedDrawingTest, MovingAnimationIsRepeatedWhereItWas) {
  note(0, {0, 0, 40, 10});
  note(300, {30, 0, 40, 10});
  EXPECT_EQ(drawn_.between(at(0), at(400)), std::vector{(Rect{0, 0, 70, 10})});
}

TEST_F(RepeatedDrawingTest, OnlyTheAskedTimeCounts) {
  note(0, kClock);
  note(1'000, kClock);
  EXPECT_TRUE(drawn_.between(at(10), at(1'100)).empty());
  EXPECT_TRUE(drawn_.between(at(0), at(900)).empty());
}

TEST_F(RepeatedDrawingTest, OldAndTooManyAreasAreForgotten) {
  note(0, kClock);
  for (int i = 1; i <= static_cast<int>(RepeatedDrawing::kMaxAreas); ++i) note(i, {i * 10, 500, 5, 5});
  note(1'000, kClock);
  EXPECT_TRUE(drawn_.between(at(0), at(1'100)).empty()) << "the first was dropped for later ones";
  note(6'000, kClock);
  EXPECT_TRUE(drawn_.between(at(0), at(6'100)).empty()) << "the second is too old";
}

}  // namespace
}  // namespace da::actuator
