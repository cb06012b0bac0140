// The person's settings for double clicks and drags, from the XSETTINGS manager of the desktop environment.
// Source: XSETTINGS protocol 0.5, freedesktop.org. Without a manager, toolkits use their defaults. Uses the connection
// of Input; one thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

// The defaults of GTK and Qt.
inline constexpr Milliseconds kUsualDoubleClickTime{400};
inline constexpr int kUsualDragThreshold = 8;

struct PointerSettings {
  Milliseconds double_click_time = kUsualDoubleClickTime;
  int drag_threshold = kUsualDragThreshold;  // Pixels that the pointer must move before a drag begins.
};

// The defaults where the manager does not answer or tells nonsense.
PointerSettings read_pointer_settings(Connection& connection);

// The integer settings in the value of the property _XSETTINGS_SETTINGS; as many as can be read. Pure.
std::map<std::string, int, std::less<>> parse_xsettings(std::string_view value);

}  // namespace da::actuator::x11
