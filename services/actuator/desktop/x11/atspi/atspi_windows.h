// Matches accessible top levels ("frame", "dialog") to X windows and converts their coordinates. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "services/actuator/desktop/x11/windows/window_properties.h"

namespace da::actuator::x11 {

struct AccessibleFrame {
  std::uint32_t pid = 0;
  std::string name;
  Rect extents;
};

struct FrameWindow {
  std::string window_id;  // Empty when no window matches.
  Point offset;           // Add it to the frame's coordinates.
  bool process_has_windows = false;
};

// One entry per frame. Each window matches one frame of its process, by title, then by size, then in order.
std::vector<FrameWindow> match_frames(const std::vector<AccessibleFrame>& frames,
                                      const std::vector<DescribedWindow>& windows);

}  // namespace da::actuator::x11
