// A picture for the person who decides about an action: the screen around the marked target, with all masks applied.
// Runs under the desktop's lock.
#pragma once

#include <string>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/privacy/screen_mask.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

inline constexpr int kPictureWidth = 320;
inline constexpr int kPictureHeight = 200;
inline constexpr std::size_t kLargestPictureBytes = 100'000;

// PNG, 8 bit RGB. Shows kPictureWidth by kPictureHeight desktop pixels around the target's point (less on a smaller
// desktop); for a drag both ends; without a point the whole element, else the window, else the middle of the desktop.
// Halved until it is at most twice that size and at most kLargestPictureBytes. A red outline surrounds the element, the
// window or, in a large one, a box around the point; a blue one marks the end of a drag. No outline covers the target.
Result<std::string> take_picture(Desktop& desktop, ScreenMask& mask, const ActionTarget& target, const Clock& clock);

}  // namespace da::actuator
