#include "services/actuator/proof/animations.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

namespace da::actuator {
namespace {

using testing::Contains;
using testing::IsEmpty;

// Draws `areas` every `pause`, or nothing.
class Drawing final : public DrawingWatch {
 public:
  Drawing(ManualClock& clock, const std::vector<Rect>& areas, const Milliseconds& pause)
      : clock_(clock), areas_(areas), pause_(pause) {}

  Result<void> arm() override { return ok(); }
  Result<std::vector<Rect>> next(MonoTime deadline, const std::stop_token&) override {
    const MonoTime drawn = clock_.now() + pause_;
    const bool in_time = !areas_.empty() && drawn <= deadline;
    const MonoTime until = in_time ? drawn : std::max(deadline, clock_.now());
    clock_.advance(until - clock_.now());
    return in_time ? areas_ : std::vector<Rect>();
  }

 private:
  ManualClock& clock_;
  const std::vector<Rect>& areas_;
  const Milliseconds& pause_;
};

class DrawnScreen final : public Screen {
 public:
  explicit DrawnScreen(ManualClock& clock) : clock_(clock) {}

  Result<Layout> layout() override { return none(); }
  Result<FrameView> capture() override { return none(); }
  Result<FrameView> capture_area(const Rect& area) override {
    if (!shade) return none();
    pixels_.assign(static_cast<std::size_t>(area.area()) * 4, shade());
    return FrameView{pixels_.data(), area, static_cast<std::size_t>(area.width) * 4, 0};
  }
  Result<std::optional<std::vector<Rect>>> changed_since(std::uint64_t) override { return none(); }
  Result<std::unique_ptr<DrawingWatch>> watch_drawing() override {
    return std::unique_ptr<DrawingWatch>(std::make_unique<Drawing>(clock_, areas, pause));
  }
  Result<Point> cursor() override { return none(); }
  Result<CursorShape> cursor_shape() override { return none(); }
  Result<Quiet> wait_quiet(const Rest&, MonoTime) override { return none(); }

  std::vector<Rect> areas;
  Milliseconds pause{20};
  std::function<std::uint8_t()> shade;  // Value of each pixel; empty: nothing can be captured.

 private:
  static Error none() { return {Code::kUnimplemented, "not part of this test"}; }

  ManualClock& clock_;
  std::vector<std::uint8_t> pixels_;
};

class AnimationsTest : public testing::Test {
 protected:
  static constexpr Rect kClock{300, 10, 80, 20};
  static constexpr Rect kWindow{0, 0, 400, 300};

  ManualClock clock_;
  DrawnScreen screen_{clock_};
  Animations animations_{screen_, clock_};
};

TEST_F(AnimationsTest, AreaThatIsDrawnAllTheTimeIsAnimated) {
  for (const Milliseconds pause : {Milliseconds(16), Milliseconds(100)}) {
    screen_.areas = {kClock};
    screen_.pause = pause;
    animations_.action_begins(Animations::FirstLook::kNow);
    EXPECT_THAT(animations_.still_moving(kWindow, {}), Contains(kClock));
    animations_.action_ends(kWindow, {}, {});
  }
}

// Bug: before the first action, the screen was watched for 110 ms only.
TEST_F(AnimationsTest, AnimationEachFifthOfASecondIsKnownBeforeTheFirstAction) {
  screen_.areas = {kClock};
  screen_.pause = Milliseconds(200);
  animations_.action_begins(Animations::FirstLook::kNow);
  EXPECT_THAT(animations_.drawn_before(), Contains(kClock));
}

TEST_F(AnimationsTest, RestingAreaIsNotAnimated) {
  screen_.areas = {kClock};
  animations_.action_begins(Animations::FirstLook::kNow);
  screen_.areas.clear();
  EXPECT_THAT(animations_.drawn_before(), Contains(kClock));
  EXPECT_THAT(animations_.still_moving(kWindow, {}), IsEmpty());
}

TEST_F(AnimationsTest, AreaThatWasNotAnimatedBeforeIsNotCompared) {
  animations_.action_begins(Animations::FirstLook::kNow);
  screen_.areas = {kClock};
  const MonoTime begun = clock_.now();
  EXPECT_THAT(animations_.still_moving(kWindow, {}), IsEmpty());
  EXPECT_EQ(clock_.now(), begun) << "it costs no time";
}

TEST_F(AnimationsTest, AnimationElsewhereOrInAnExceptedAreaDoesNotCount) {
  screen_.areas = {kClock};
  animations_.action_begins(Animations::FirstLook::kNow);
  EXPECT_THAT(animations_.still_moving({0, 200, 100, 50}, {}), IsEmpty());
  const std::vector<Rect> except{{290, 0, 110, 40}};
  EXPECT_THAT(animations_.still_moving(kWindow, except), IsEmpty());
}

TEST_F(AnimationsTest, ClockThatTicksOnceASecondChangesAgain) {
  screen_.areas = {kClock};
  for (const Milliseconds tick : {Milliseconds(400), Milliseconds(1'000)}) {
    const MonoTime begun = clock_.now();
    screen_.shade = [&, tick] { return static_cast<std::uint8_t>((clock_.now() - begun) / tick); };
    animations_.action_begins(Animations::FirstLook::kLater);
    EXPECT_TRUE(animations_.changes_again(kClock, {}, [] { return true; })) << tick.count() << " ms";
    EXPECT_FALSE(animations_.rests(kClock));
  }
}

TEST_F(AnimationsTest, EffectThatGoesOnForAWhileRests) {
  screen_.areas = {kClock};
  const MonoTime begun = clock_.now();
  screen_.shade = [&] {
    return static_cast<std::uint8_t>(std::min((clock_.now() - begun) / Milliseconds(20), std::int64_t{15}));
  };
  animations_.action_begins(Animations::FirstLook::kLater);
  EXPECT_FALSE(animations_.changes_again(kClock, {}, [] { return true; }));
  EXPECT_TRUE(animations_.rests(kClock));
  clock_.advance(std::chrono::seconds(61));
  EXPECT_FALSE(animations_.rests(kClock)) << "another window may be there by now";
  EXPECT_FALSE(animations_.changes_again(kClock, {}, [] { return true; }));
  EXPECT_TRUE(animations_.rests(kClock));
  animations_.action_ends(kWindow, kClock, {});
  EXPECT_FALSE(animations_.rests(kClock)) << "what changed without an action does not rest";
}

TEST_F(AnimationsTest, LookEndsWhenTheTaskIsStopped) {
  screen_.areas = {kClock};
  screen_.shade = [] { return std::uint8_t{1}; };
  animations_.action_begins(Animations::FirstLook::kLater);
  const MonoTime begun = clock_.now();
  EXPECT_FALSE(animations_.changes_again(kClock, {}, [] { return false; }));
  EXPECT_EQ(clock_.now(), begun);
  EXPECT_FALSE(animations_.rests(kClock)) << "nobody has looked";
}

TEST_F(AnimationsTest, ChangeBetweenActionsHappensByItself) {
  struct Gap {
    Milliseconds length;
    std::uint8_t shade;
    bool by_itself;
  };
  std::uint8_t shade = 1;
  screen_.shade = [&] { return shade; };
  screen_.pause = Milliseconds(0);
  for (const Gap& gap :
       {Gap{Milliseconds(300), 1, false}, Gap{Milliseconds(50), 2, false}, Gap{Milliseconds(300), 3, true}}) {
    animations_.action_begins(Animations::FirstLook::kLater);
    animations_.action_ends(kWindow, {}, {});
    clock_.advance(gap.length);
    screen_.areas = {kClock};
    shade = gap.shade;
    animations_.action_begins(Animations::FirstLook::kLater);
    EXPECT_EQ(animations_.changed_by_itself(kClock), gap.by_itself) << gap.length.count() << " ms, " << +gap.shade;
    screen_.areas.clear();
    animations_.action_ends(kWindow, {}, {});
  }
}

TEST_F(AnimationsTest, ManyAreasBecomeOne) {
  for (int i = 0; i < 500; ++i) screen_.areas.push_back({i, i % 100, 10, 10});
  animations_.action_begins(Animations::FirstLook::kNow);
  EXPECT_LE(animations_.drawn_before().size(), 101U);
}

}  // namespace
}  // namespace da::actuator
