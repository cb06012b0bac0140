// Windows whose elements will come: a window shows before its toolkit has connected to the accessibility bus; with
// Java, or on a busy machine, up to seconds before. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/x11/windows/window_properties.h"

namespace da::actuator::x11 {

// A process, or its new window, of this age has connected, or will not: some do without, by their settings.
inline constexpr Milliseconds kConnectsWithin{10'000};

// Whether a process of this age, with these libraries (the content of /proc/PID/maps), will still expose elements.
bool will_expose_elements(Milliseconds age, std::string_view maps);

class AwaitedWindows {
 public:
  // The ids of the windows in which none of these elements is, apart from the window's own, and whose process will
  // expose some. `connected`: the processes on the accessibility bus. Only in others does a window's own age count,
  // because theirs may have no elements, and only if it was not there at the first call.
  std::vector<std::string> find(std::span<const DescribedWindow> windows, std::span<const Element> elements,
                                const std::set<std::uint32_t>& connected, MonoTime now);

 private:
  std::optional<std::map<std::string, MonoTime>> first_seen_;  // Keyed by window id; MonoTime(): at the first call.
};

}  // namespace da::actuator::x11
