// Whether a target still is, and looks like, what it was: the actuator asks between Prepare and the act, the policy
// between an approval and its grant. Here is decided which change is a small one; docs/SECURITY.md has the table.
//
// A look is the brightness of each pixel of an area, one byte a pixel, rows from the top (Evidence.target_pixels).
// Any bytes may come: looks that cannot be compared are not alike. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/geometry.h"

namespace da::contract {

enum class Surface {
  kControl,  // A button, an item, a tab with a name: the name says what it is, and it may light up under the pointer.
  kContent,  // Text, canvases, and whatever no accessibility tree knows: only what it shows says what it is.
};

// role and name as the accessibility tree has them; empty where no element is known.
Surface surface_of(std::string_view role, std::string_view name);

// Brightness of one pixel of BGRX, 0 to 255.
std::uint8_t brightness(const std::uint8_t* bgrx);

// width is that of both areas, in pixels.
bool looks_alike(std::string_view before, std::string_view now, int width, Surface surface);

// Both coordinates within two pixels: less than any border that separates two controls. For elements, which may shrink
// a little when they are pressed or lit; windows do not move by themselves.
bool same_place(Point before, Point now);

}  // namespace da::contract
