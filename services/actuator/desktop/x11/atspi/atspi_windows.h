// Matches accessible top levels ("frame", "dialog") to X windows and converts their coordinates. Pure; any thread.
//
// Title, size and place of a frame select its window; where they fit several windows equally, the one with the keyboard
// focus belongs to the frame that says so. Never by the order of a list: frames that still fit several windows match
// none, and the places of their elements are unknown.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "services/actuator/desktop/x11/atspi/atspi_places.h"
#include "services/actuator/desktop/x11/windows/window_properties.h"

namespace da::actuator::x11 {

struct AccessibleFrame {
  std::uint32_t pid = 0;
  std::string name;
  Rect extents;
  bool active = false;  // The application says that it has the keyboard focus.
  bool showing = false;
  bool listed = true;        // Its role is that of windows that a window manager lists, unlike menus and tooltips.
  std::string known_window;  // Known from an earlier read; empty: unknown.
  double known_scale = 0;    // Known from an earlier read; 0: unknown.
};

struct FrameWindow {
  std::string window_id;  // Empty when no window matches.
  PlaceMap map;           // Maps the frame's coordinates to the desktop's.
  bool process_has_windows = false;
  std::vector<Rect> popups;  // Client areas of its process's unmanaged windows, if the frame has popovers.
  std::string unplaced;      // Why the places of its elements are unknown; empty: they are known.
};

// One entry per frame.
std::vector<FrameWindow> match_frames(const std::vector<AccessibleFrame>& frames,
                                      const std::vector<DescribedWindow>& windows);

// The conversion of the application's own windows, for its menus and tooltips: that of the active one, else of any.
// nullopt: none is measured, or each window has coordinates of its own (GTK4).
std::optional<PlaceMap> common_map(const std::vector<AccessibleFrame>& frames, const std::vector<FrameWindow>& places);

// The conversion for a top level outside of the window manager's list (a menu, a tooltip, a notification, a panel).
// `unlisted`: the other windows that the server shows. `common`: as above. nullopt: its place is unknown.
std::optional<PlaceMap> map_of_unlisted(const AccessibleFrame& frame, std::span<const DescribedWindow> unlisted,
                                        const std::optional<PlaceMap>& common);

}  // namespace da::actuator::x11
