#include "services/actuator/desktop/press_spacing.h"

#include <algorithm>
#include <cstdlib>

namespace da::actuator {
namespace {

// Chromium, Java, Tk and Windows use this time, whatever a shorter setting says.
constexpr Milliseconds kLongestUsualTime{500};
// Toolkits allow 4 or 5 pixels between the clicks, and twice as much on a screen with scale 2.
constexpr int kLargestDistance = 16;

}  // namespace

bool PressSpacing::is_near_last(Button button, Point at) const {
  return last_ && last_->button == button && std::abs(last_->at.x - at.x) <= kLargestDistance &&
         std::abs(last_->at.y - at.y) <= kLargestDistance;
}

MonoTime PressSpacing::own_click_from(Milliseconds double_click_time) const {
  return last_ ? last_->when + std::max(double_click_time, kLongestUsualTime) : MonoTime{};
}

}  // namespace da::actuator
