// Whether a target still looks as it did: the actuator asks between Prepare and the act, the policy between an approval
// and its grant. Defines which changes are small; docs/EVIDENCE.md has the table.
//
// A look is the brightness of an area's pixels, one byte each, rows from the top (Evidence.target_pixels). It may
// contain any bytes: looks that cannot be compared are not alike. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/geometry.h"

namespace da::contract {

enum class Surface {
  kControl,  // A button, an item, a tab with a name: the name identifies it, and it may light up under the pointer.
  kContent,  // Text, canvases, anything outside the accessibility tree: only its look identifies it.
};

// role and name from the accessibility tree; empty if no element is known.
Surface surface_of(std::string_view role, std::string_view name);

// Brightness of one pixel of BGRX, 0 to 255.
std::uint8_t brightness(const std::uint8_t* bgrx);

// width: of both areas, in pixels.
bool looks_alike(std::string_view before, std::string_view now, int width, Surface surface);

// Both coordinates differ by at most two pixels, less than any border between two controls. For elements, which may
// shrink a little when pressed or lit; windows do not move by themselves.
bool same_place(Point before, Point now);

}  // namespace da::contract
