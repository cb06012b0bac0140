// Which X window an accessible top level ("frame", "dialog") is, and how its coordinates become the desktop's.
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "services/actuator/desktop/x11/window_properties.h"

namespace da::actuator::x11 {

struct AccessibleFrame {
  std::uint32_t pid = 0;
  std::string name;
  Rect extents;
};

struct FrameWindow {
  std::string window_id;  // Empty where no window fits.
  Point offset;           // To be added to the frame's coordinates.
  bool process_has_windows = false;
};

// One entry for each frame. A window serves one frame: same process, then same title, then same size, then what is
// left.
std::vector<FrameWindow> match_frames(const std::vector<AccessibleFrame>& frames,
                                      const std::vector<DescribedWindow>& windows);

}  // namespace da::actuator::x11
