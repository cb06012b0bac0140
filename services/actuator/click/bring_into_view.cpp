#include "services/actuator/click/bring_into_view.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "lib/base/text.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kLongest{15'000};
constexpr Milliseconds kScrollAnswerTimeout{1'000};
// A list is painted a moment after the wheel turns. Only then do its elements report their new places.
constexpr Milliseconds kPaintQuiet{30};
constexpr Milliseconds kPaintTimeout{400};
constexpr int kMaxRounds = 200;
constexpr int kMaxNotches = 60;  // Per turn: half a second of input.
constexpr int kMaxTurnsWithoutMove = 4;
constexpr Milliseconds kPageCoverTimeout{3'000};
// A header or a banner is rarely higher than so many notches.
constexpr int kMaxTurnsFromCover = 6;

bool shows_enough(const Element& element) {
  return 2 * element.visible.height >= std::min(element.bounds.height, element.viewport.height) &&
         2 * element.visible.width >= std::min(element.bounds.width, element.viewport.width);
}

// For these roles, the wheel changes the value instead of scrolling.
bool consumes_wheel(const Element& element) {
  constexpr auto kRoles = std::to_array<std::string_view>({"slider", "spin button", "combo box", "dial", "page tab"});
  return std::ranges::find(kRoles, element.role) != kRoles.end();
}

class WheelScroll {
 public:
  WheelScroll(Desktop& desktop, const WindowInfo& window, const Checkpoint& checkpoint, const Clock& clock)
      : desktop_(desktop), window_(window), checkpoint_(checkpoint), clock_(clock) {}

  // Turns the wheel by one notch, so that the element goes down or up.
  Result<void> move_by_notch(const Element& element, bool down) {
    if (!place_) {
      ASSIGN_OR_RETURN(const Layout layout, desktop_.screen().layout());
      ASSIGN_OR_RETURN(place_, choose_place(intersection(element.viewport, layout.desktop)));
    }
    const Progress progress = desktop_.input().scroll(*place_, 0, down ? -1 : 1, checkpoint_);
    return progress.stopped ? Result<void>(*progress.stopped) : ok();
  }

  // Turns the wheel once, towards the element.
  Result<void> turn(const Element& element) {
    learn(element.bounds);
    const int down = distance(element.bounds.y, element.bounds.height, element.viewport.y, element.viewport.height);
    const int right = distance(element.bounds.x, element.bounds.width, element.viewport.x, element.viewport.width);
    const bool vertically = std::abs(down) > element.viewport.height / 2 || right == 0;
    if (!place_) {
      ASSIGN_OR_RETURN(const Layout layout, desktop_.screen().layout());
      ASSIGN_OR_RETURN(place_, choose_place(intersection(element.viewport, layout.desktop)));
    }
    const int notches = notches_for(vertically ? down : right);
    last_notches_ = std::abs(notches);
    before_ = element.bounds;
    const Progress progress =
        desktop_.input().scroll(*place_, vertically ? 0 : notches, vertically ? notches : 0, checkpoint_);
    return progress.stopped ? Result<void>(*progress.stopped) : ok();
  }

  bool stuck() const { return turns_without_move_ >= kMaxTurnsWithoutMove; }

 private:
  // Signed distance from the middle of the viewport to the middle of the element; 0 if they are close.
  static int distance(int element, int size, int viewport, int viewport_size) {
    const int away = element + size / 2 - (viewport + viewport_size / 2);
    return std::abs(away) <= viewport_size / 3 ? 0 : away;
  }

  int notches_for(int away) const {
    const int sign = away < 0 ? -1 : 1;
    if (pixels_a_notch_ <= 0) return sign;
    return sign * std::clamp(std::abs(away) / pixels_a_notch_, 1, kMaxNotches);
  }

  // Learns from the last turn how many pixels a notch moves the element.
  void learn(const Rect& now) {
    if (last_notches_ == 0) return;
    const int moved = std::abs(now.y - before_.y) + std::abs(now.x - before_.x);
    turns_without_move_ = moved == 0 ? turns_without_move_ + 1 : 0;
    if (moved > 0) pixels_a_notch_ = std::max(1, moved / last_notches_);
  }

  Result<Point> choose_place(const Rect& viewport) {
    if (viewport.empty()) return Error{Code::kFailedPrecondition, "the element's container is outside of the desktop"};
    const std::array places{viewport.center(), Point{viewport.x + 6, viewport.center().y},
                            Point{viewport.x + viewport.width / 4, viewport.y + viewport.height / 4}};
    for (const Point& place : places) {
      const auto under = desktop_.ui_tree().element_at(window_, place, clock_.now() + kScrollAnswerTimeout);
      if (under && (!under->element || !consumes_wheel(*under->element))) return place;
    }
    return Error{Code::kFailedPrecondition, "no point of the element's container scrolls with the wheel"};
  }

  Desktop& desktop_;
  const WindowInfo& window_;
  const Checkpoint& checkpoint_;
  const Clock& clock_;
  std::optional<Point> place_;
  Rect before_;
  int last_notches_ = 0;
  int pixels_a_notch_ = 0;  // 0: unknown.
  int turns_without_move_ = 0;
};

}  // namespace

Result<Element> bring_into_view(Desktop& desktop, const WindowInfo& window, const Element& element,
                                const Checkpoint& checkpoint, const Clock& clock) {
  const MonoTime deadline = clock.now() + kLongest;
  const auto asked = desktop.ui_tree().reveal(element.handle, clock.now() + kScrollAnswerTimeout);
  if (!asked && asked.error().code != Code::kUnimplemented) return asked.error();
  WheelScroll wheel(desktop, window, checkpoint, clock);
  // If the application accepts the request but does not scroll, the wheel is used from the second round on.
  bool by_wheel = !asked.has_value();
  for (int round = 0; round < kMaxRounds && clock.now() < deadline && !wheel.stuck(); ++round) {
    if (round > 0 || !by_wheel) {
      ASSIGN_OR_RETURN([[maybe_unused]] const auto quiet,
                       desktop.screen().wait_quiet(kPaintQuiet, clock.now() + kPaintTimeout));
    }
    ASSIGN_OR_RETURN(Element now, desktop.ui_tree().refresh(element.handle, clock.now() + kScrollAnswerTimeout));
    if (now.has(ElementState::kShowing) && shows_enough(now)) return now;
    RETURN_IF_ERROR(checkpoint());
    if (by_wheel) RETURN_IF_ERROR(wheel.turn(now));
    by_wheel = true;
  }
  return Error{Code::kFailedPrecondition,
               "the " + escape_foreign(element.role, 40) + " did not come into view by scrolling its container"};
}

Result<void> scroll_clear(Desktop& desktop, const WindowInfo& window, const Element& element,
                          const Checkpoint& checkpoint, const Clock& clock) {
  const Error stays{Code::kFailedPrecondition, "scrolling does not move the cover away"};
  WheelScroll wheel(desktop, window, checkpoint, clock);
  std::optional<bool> down;
  Element now = element;
  for (int turns = 0; turns <= kMaxTurnsFromCover; ++turns) {
    const auto cover = desktop.ui_tree().page_cover(now.handle, now.visible.center(), clock.now() + kPageCoverTimeout);
    if (!cover) return cover.error();
    if (!*cover) return turns > 0 ? ok() : Result<void>(stays);
    const Rect& area = (*cover)->bounds;
    const Rect& page = now.viewport;
    // A cover of the whole page stays where it is.
    if (turns == kMaxTurnsFromCover || page.empty() || 2 * area.height > page.height) return stays;
    if (!down) down = area.center().y < page.center().y;
    RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(wheel.move_by_notch(now, *down));
    RETURN_IF_ERROR(desktop.screen().wait_quiet(kPaintQuiet, clock.now() + kPaintTimeout));
    ASSIGN_OR_RETURN(Element moved, desktop.ui_tree().refresh(element.handle, clock.now() + kScrollAnswerTimeout));
    if (moved.bounds == now.bounds || !moved.has(ElementState::kShowing) || !shows_enough(moved)) return stays;
    now = std::move(moved);
  }
  return stays;
}

}  // namespace da::actuator
