// The places of windows that Windows scales. A program that is not aware of the monitor's DPI works in pixels of its
// own, which Windows stretches; window messages and MSAA report those. This process sees the monitor's pixels, as it is
// aware of each monitor's DPI (screen/dpi_awareness.h); UI Automation converts by itself. Any thread.
#pragma once

#include <windows.h>

#include <optional>

#include "services/actuator/desktop/place_map.h"

namespace da::actuator::win32 {

// Maps the program's places on the screen to the monitor's. nullopt: the window is gone.
std::optional<PlaceMap> screen_map_of(HWND window);

// Maps a place of the program in the window's client area, which may be mirrored, to the desktop; empty if the window
// is gone.
Rect from_client(HWND window, RECT place);

// The opposite.
std::optional<POINT> to_client(HWND window, Point desktop);

}  // namespace da::actuator::win32
