#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

// Rows of the frame's pixels without the unused byte of each, so that equal looks are equal texts.
std::string pixels_of(const FrameView& view, const Rect& part) {
  std::string pixels;
  for (int y = part.y; y < part.y + part.height; ++y) {
    for (int x = part.x; x < part.x + part.width; ++x) {
      const std::uint8_t* pixel = view.data + static_cast<std::size_t>(y - view.area.y) * view.stride +
                                  static_cast<std::size_t>(x - view.area.x) * 4;
      pixels.append(reinterpret_cast<const char*>(pixel), 3);
    }
  }
  return pixels;
}

// Two desktops differ outside of these areas nowhere. `before`, `after`: pixels_of() the whole desktop.
void expect_only_in(const std::vector<Rect>& areas, const std::string& before, const std::string& after,
                    const Rect& desktop) {
  ASSERT_EQ(before.size(), after.size());
  ASSERT_NE(before, after);
  for (int y = desktop.y; y < desktop.bottom(); ++y) {
    for (int x = desktop.x; x < desktop.right(); ++x) {
      const auto at = static_cast<std::size_t>((y - desktop.y) * desktop.width + (x - desktop.x)) * 3;
      if (before.compare(at, 3, after, at, 3) == 0) continue;
      ASSERT_TRUE(std::ranges::any_of(areas, [&](const Rect& area) { return area.contains({x, y}); })) << x << "," << y;
    }
  }
}

class ScreenContract : public ContractTest {
 protected:
  void settle() { ASSERT_DONE(screen_.wait_quiet(Milliseconds(300), stage_->deadline())); }

  Screen& screen_ = desktop_.screen();
};

TEST_F(ScreenContract, DesktopIsTheRectangleAroundAllMonitors) {
  const auto layout = screen_.layout();
  ASSERT_DONE(layout);
  ASSERT_FALSE(layout->monitors.empty());
  for (const MonitorInfo& monitor : layout->monitors) {
    EXPECT_EQ(intersection(monitor.bounds, layout->desktop), monitor.bounds);
    EXPECT_GT(monitor.scale, 0.0);
  }
  EXPECT_FALSE(intersection(target_.window.bounds, layout->desktop).empty());
}

TEST_F(ScreenContract, FrameShowsWhatIsOnTheDesktop) {
  settle();
  const auto before = screen_.capture();
  ASSERT_DONE(before);
  EXPECT_EQ(before->area, screen_.layout()->desktop);
  const std::string window = pixels_of(*before, target_.window.bounds);
  const Rect corner{before->area.x + before->area.width - 20, before->area.y + before->area.height - 20, 20, 20};
  const std::string outside = pixels_of(*before, corner);
  ASSERT_FALSE(desktop_.input().type(U"black on white", Milliseconds(0), go_on).stopped);
  ASSERT_TRUE(stage_->eventually([&] {
    const auto now = screen_.capture();
    return now && pixels_of(*now, target_.window.bounds) != window;
  }));
  EXPECT_EQ(pixels_of(*screen_.capture(), corner), outside);
}

// The reported areas may be larger than what changed, never smaller.
TEST_F(ScreenContract, EveryChangedPixelLiesInAReportedArea) {
  settle();
  const auto before = screen_.capture();
  ASSERT_DONE(before);
  if (!stage_->reports_changes()) {
    const auto changed = screen_.changed_since(before->generation);
    ASSERT_DONE(changed);
    EXPECT_FALSE(changed->has_value()) << "a desktop without reports must say that everything may have changed";
    return;
  }
  const Rect desktop = before->area;
  const std::string pixels = pixels_of(*before, desktop);
  const std::uint64_t generation = before->generation;
  ASSERT_FALSE(desktop_.input().type(U"changes", Milliseconds(0), go_on).stopped);
  stage_->open_target("Second");
  settle();
  std::uint64_t between = 0;
  for (const auto since : {generation, generation}) {  // The second answer must not be shorter than the first.
    const auto now = screen_.capture();
    ASSERT_DONE(now);
    between = now->generation;
    const auto changed = screen_.changed_since(since);
    ASSERT_DONE(changed);
    ASSERT_TRUE(changed->has_value());
    EXPECT_FALSE((*changed)->empty());
    expect_only_in(**changed, pixels, pixels_of(*now, desktop), desktop);
  }
  ASSERT_DONE(desktop_.windows().close(stage_->desktop().windows().list()->front().id));
  ASSERT_TRUE(stage_->eventually([&] { return desktop_.windows().list()->size() == 1; }));
  settle();
  const auto changed = screen_.changed_since(between);
  ASSERT_DONE(changed);
  ASSERT_TRUE(changed->has_value());
  EXPECT_FALSE((*changed)->empty());
}

TEST_F(ScreenContract, UnchangedScreenReportsNoArea) {
  if (!stage_->reports_changes()) {
    EXPECT_EQ(screen_.capture()->generation, 0U);
    return;
  }
  EXPECT_TRUE(stage_->eventually([&] {
    settle();
    const auto frame = screen_.capture();
    const auto changed = screen_.changed_since(frame->generation);
    return changed && *changed && (*changed)->empty();
  })) << "a blinking caret pauses now and then";
}

TEST_F(ScreenContract, DrawingAfterArmIsReportedEvenBeforeTheWaitBegins) {
  const auto opened = screen_.watch_drawing();
  ASSERT_DONE(opened);
  DrawingWatch& watch = **opened;
  if (!stage_->reports_changes()) {
    EXPECT_FALSE(watch.arm()) << "a desktop without reports must not promise any";
    return;
  }
  settle();
  ASSERT_DONE(watch.arm());
  stage_->open_target("Second");
  const auto drawn = watch.next(stage_->deadline(), {});
  ASSERT_DONE(drawn);
  EXPECT_FALSE(drawn->empty());
}

TEST_F(ScreenContract, StopEndsTheWaitForDrawing) {
  const auto opened = screen_.watch_drawing();
  ASSERT_DONE(opened);
  if (!(*opened)->arm()) return;  // This desktop reports no drawing.
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE((*opened)->next(stage_->deadline(), stop.get_token())->empty());
}

TEST_F(ScreenContract, UnknownGenerationMeansThatEverythingMayHaveChanged) {
  const auto frame = screen_.capture();
  ASSERT_DONE(frame);
  for (const std::uint64_t unknown : {std::uint64_t{0}, frame->generation + 1'000'000}) {
    const auto changed = screen_.changed_since(unknown);
    ASSERT_DONE(changed);
    EXPECT_FALSE(changed->has_value());
  }
}

TEST_F(ScreenContract, CursorShapeTellsTextFieldFromTheRest) {
  const auto shape_at = [&](Point point, CursorShape wanted) {
    EXPECT_TRUE(stage_->eventually([&] {
      EXPECT_TRUE(desktop_.input().move(point));
      const auto shape = screen_.cursor_shape();
      return shape && *shape == wanted;
    })) << static_cast<int>(screen_.cursor_shape().value_or(CursorShape::kUnknown));
  };
  const auto tree = desktop_.ui_tree().read(target_.window, {.deadline = stage_->deadline()});
  ASSERT_DONE(tree);
  const auto field = std::ranges::find_if(
      tree->elements, [](const Element& element) { return element.name == "Text" && element.role == "text"; });
  ASSERT_NE(field, tree->elements.end());
  shape_at(field->bounds.center(), stage_->shows_cursors() ? CursorShape::kText : CursorShape::kUnknown);
  shape_at(target_.pad.center(), stage_->shows_cursors() ? CursorShape::kArrow : CursorShape::kUnknown);
}

TEST_F(ScreenContract, AreaIsClippedAndEqualsThatPartOfTheFrame) {
  settle();
  const Rect desktop = screen_.layout()->desktop;
  const auto whole = screen_.capture();
  ASSERT_DONE(whole);
  const Rect corner{desktop.x - 10, desktop.y - 10, 60, 50};
  const Rect clipped{desktop.x, desktop.y, 50, 40};
  const std::string expected = pixels_of(*whole, clipped);
  const auto part = screen_.capture_area(corner);
  ASSERT_DONE(part);
  EXPECT_EQ(part->area, clipped);
  EXPECT_EQ(pixels_of(*part, clipped), expected);
  EXPECT_EQ(pixels_of(*whole, clipped), expected) << "the frame of capture() stays valid";
}

TEST_F(ScreenContract, AreaOutsideTheDesktopIsAnError) {
  const Rect desktop = screen_.layout()->desktop;
  const auto captured = screen_.capture_area({desktop.x + desktop.width + 5, desktop.y, 10, 10});
  ASSERT_FALSE(captured);
  EXPECT_EQ(captured.error().code, Code::kOutOfRange);
}

TEST_F(ScreenContract, CursorIsWhereItWasMoved) {
  const Point point = target_.pad.center();
  ASSERT_DONE(desktop_.input().move(point));
  EXPECT_TRUE(stage_->eventually([&] {
    const auto cursor = screen_.cursor();
    return cursor && *cursor == point;
  }));
}

TEST_F(ScreenContract, QuietScreenSettlesAndAPastDeadlineIsNoWait) {
  settle();
  const auto settled = screen_.wait_quiet(Milliseconds(50), stage_->deadline());
  ASSERT_DONE(settled);
  EXPECT_EQ(*settled, Quiet::kSettled);
  ASSERT_FALSE(desktop_.input().type(U"x", Milliseconds(0), go_on).stopped);
  const auto at_once = screen_.wait_quiet(Milliseconds(10'000), system_clock().now());
  ASSERT_DONE(at_once);
  EXPECT_EQ(*at_once, Quiet::kStillChanging);
}

}  // namespace
}  // namespace da::actuator::contract
