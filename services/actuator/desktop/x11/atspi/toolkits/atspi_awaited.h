// Windows whose elements will come: a window shows before its toolkit has connected to the accessibility bus; with
// Java, or on a busy machine, up to seconds before. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/x11/windows/window_properties.h"

namespace da::actuator::x11 {

// A process of this age has connected, or will not: some do without, by their settings.
inline constexpr Milliseconds kConnectsWithin{10'000};

// Whether a process of this age, with these libraries (the content of /proc/PID/maps), will still expose elements.
bool will_expose_elements(Milliseconds age, std::string_view maps);

// The ids of the windows in which none of these elements is, apart from the window's own, and whose process will expose
// some.
std::vector<std::string> awaited_windows(std::span<const DescribedWindow> windows, std::span<const Element> elements);

}  // namespace da::actuator::x11
