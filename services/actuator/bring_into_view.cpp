#include "services/actuator/bring_into_view.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "lib/base/text.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kLongest{15'000};
constexpr Milliseconds kAnswerTimeout{1'000};
// A list is painted a moment after the wheel was turned; then its elements tell their new places.
constexpr Milliseconds kPaintQuiet{30};
constexpr Milliseconds kPaintTimeout{400};
constexpr int kMostRounds = 200;
constexpr int kMostNotches = 60;  // At once: half a second of input.
constexpr int kRoundsWithoutMove = 4;

bool shows_enough(const Element& element) {
  return 2 * element.visible.height >= std::min(element.bounds.height, element.viewport.height) &&
         2 * element.visible.width >= std::min(element.bounds.width, element.viewport.width);
}

// The wheel changes the value of these instead of scrolling.
bool takes_the_wheel(const Element& element) {
  constexpr auto kRoles = std::to_array<std::string_view>({"slider", "spin button", "combo box", "dial", "page tab"});
  return std::ranges::find(kRoles, element.role) != kRoles.end();
}

class WheelScroll {
 public:
  WheelScroll(Desktop& desktop, const WindowInfo& window, const Checkpoint& checkpoint, const Clock& clock)
      : desktop_(desktop), window_(window), checkpoint_(checkpoint), clock_(clock) {}

  // One turn of the wheel towards the element.
  Result<void> turn(const Element& element) {
    learn(element.bounds);
    const int down = distance(element.bounds.y, element.bounds.height, element.viewport.y, element.viewport.height);
    const int right = distance(element.bounds.x, element.bounds.width, element.viewport.x, element.viewport.width);
    const bool vertically = std::abs(down) > element.viewport.height / 2 || right == 0;
    if (!place_) {
      ASSIGN_OR_RETURN(place_, choose_place(element.viewport));
    }
    const int notches = notches_for(vertically ? down : right);
    last_notches_ = std::abs(notches);
    before_ = element.bounds;
    const Progress progress =
        desktop_.input().scroll(*place_, vertically ? 0 : notches, vertically ? notches : 0, checkpoint_);
    return progress.stopped ? Result<void>(*progress.stopped) : ok();
  }

  bool stuck() const { return still_ >= kRoundsWithoutMove; }

 private:
  // From the middle of what is seen to the middle of the element.
  static int distance(int element, int size, int viewport, int viewport_size) {
    const int away = element + size / 2 - (viewport + viewport_size / 2);
    return std::abs(away) <= viewport_size / 3 ? 0 : away;
  }

  int notches_for(int away) const {
    const int sign = away < 0 ? -1 : 1;
    if (pixels_a_notch_ <= 0) return sign;
    return sign * std::clamp(std::abs(away) / pixels_a_notch_, 1, kMostNotches);
  }

  // How far the last turn moved the element.
  void learn(const Rect& now) {
    if (last_notches_ == 0) return;
    const int moved = std::abs(now.y - before_.y) + std::abs(now.x - before_.x);
    still_ = moved == 0 ? still_ + 1 : 0;
    if (moved > 0) pixels_a_notch_ = std::max(1, moved / last_notches_);
  }

  Result<Point> choose_place(const Rect& viewport) {
    const std::array places{viewport.center(), Point{viewport.x + 6, viewport.center().y},
                            Point{viewport.x + viewport.width / 4, viewport.y + viewport.height / 4}};
    for (const Point& place : places) {
      const auto under = desktop_.ui_tree().element_at(window_, place, clock_.now() + kAnswerTimeout);
      if (under && (!under->element || !takes_the_wheel(*under->element))) return place;
    }
    return Error{Code::kFailedPrecondition, "there is no place in its container where the wheel would scroll"};
  }

  Desktop& desktop_;
  const WindowInfo& window_;
  const Checkpoint& checkpoint_;
  const Clock& clock_;
  std::optional<Point> place_;
  Rect before_;
  int last_notches_ = 0;
  int pixels_a_notch_ = 0;  // 0 until it was seen.
  int still_ = 0;           // Turns in a row that moved nothing.
};

}  // namespace

Result<Element> bring_into_view(Desktop& desktop, const WindowInfo& window, const Element& element,
                                const Checkpoint& checkpoint, const Clock& clock) {
  const MonoTime deadline = clock.now() + kLongest;
  const auto asked = desktop.ui_tree().reveal(element.handle, clock.now() + kAnswerTimeout);
  if (!asked && asked.error().code != Code::kUnimplemented) return asked.error();
  WheelScroll wheel(desktop, window, checkpoint, clock);
  // An application that says yes and does nothing gets the wheel, too.
  bool by_wheel = !asked.has_value();
  for (int round = 0; round < kMostRounds && clock.now() < deadline && !wheel.stuck(); ++round) {
    if (round > 0 || !by_wheel) {
      ASSIGN_OR_RETURN([[maybe_unused]] const auto quiet,
                       desktop.screen().wait_quiet(kPaintQuiet, clock.now() + kPaintTimeout));
    }
    ASSIGN_OR_RETURN(Element now, desktop.ui_tree().refresh(element.handle, clock.now() + kAnswerTimeout));
    if (now.has(ElementState::kShowing) && shows_enough(now)) return now;
    RETURN_IF_ERROR(checkpoint());
    if (by_wheel) RETURN_IF_ERROR(wheel.turn(now));
    by_wheel = true;
  }
  return Error{Code::kFailedPrecondition,
               "the " + escape_foreign(element.role, 40) + " did not come into view by scrolling its container"};
}

}  // namespace da::actuator
