// The meaning of a cursor's name, which libXcursor and the toolkits give each cursor of a theme: names of the X11
// cursor font ("xterm"), of CSS ("text"), and of KDE. Pure; any thread.
#pragma once

#include <string_view>

#include "services/actuator/desktop/roles/screen.h"

namespace da::actuator::x11 {

// kUnknown for other names, and for cursors without one.
CursorShape shape_of_cursor(std::string_view name);

}  // namespace da::actuator::x11
