// Where a region or a template is to be: in a window or on the desktop. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::console {

struct PlaceWish {
  std::optional<Rect> rect;    // Pixels of the window; without a window, of the desktop.
  std::optional<Rect> marked;  // Instead of `rect`: marked by a person, in desktop pixels.
  std::string window;          // A part of its title; empty: none.
};

struct Place {
  Rect area;                       // Written to the profile, relative to the window. Width or height 0: to its edge.
  std::string pattern;             // Matches the window's title; empty: `area` is on the desktop.
  std::optional<Rect> on_desktop;  // Unset: no window has the title now.
  std::optional<std::string> window_title;
  std::vector<std::string> notes;  // Reasons for people to doubt the place.
};

// Without a look, the place is as wished, and nothing is checked. The window is chosen as for a region of a running
// profile: the first one from front to back that is not minimized. kNotFound: a marked place has no such window.
Result<Place> find_place(const PlaceWish& wish, const v1::Observation* seen);

// "10,20 (300x200)"
std::string rect_text(const Rect& rect);

}  // namespace da::console
