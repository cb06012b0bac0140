// A picture for the person who decides about an action: the screen around its target, which is marked, with all masks
// applied. Runs under the desktop's lock.
#pragma once

#include <string>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/screen_mask.h"
#include "services/actuator/target.h"

namespace da::actuator {

inline constexpr int kPictureWidth = 320;
inline constexpr int kPictureHeight = 200;
inline constexpr std::size_t kLargestPictureBytes = 100'000;

// PNG, 8 bit RGB. Around a point: kPictureWidth by kPictureHeight desktop pixels, less at the desktop's edge. Of a
// drag: both ends. Where there is no point: the whole element, else the whole window, else the middle of the desktop.
// Halved until it is at most twice that size, and further where it would be larger than kLargestPictureBytes. The
// target has an outline that hides nothing of it: red around an element, a window or, in a large one, a box around the
// point; blue where a drag ends.
Result<std::string> take_picture(Desktop& desktop, ScreenMask& mask, const Target& target, const Clock& clock);

}  // namespace da::actuator
