#include "services/actuator/desktop/x11/atspi/toolkits/atspi_awaited.h"

#include <algorithm>
#include <array>
#include <set>

#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {

bool will_expose_elements(Milliseconds age, std::string_view maps) {
  // GTK3, Java's bridge, Chromium and Firefox load the first; the others speak the bus's protocol themselves.
  constexpr std::array<std::string_view, 5> kLibraries{"/libatk-bridge-2.0.so", "/libatspi.so", "/libgtk-4.so",
                                                       "/libQt5Gui.so", "/libQt6Gui.so"};
  return age < kConnectsWithin &&
         std::ranges::any_of(kLibraries, [&](std::string_view each) { return maps.find(each) != maps.npos; });
}

std::vector<std::string> awaited_windows(std::span<const DescribedWindow> windows, std::span<const Element> elements) {
  std::set<std::string_view> described;
  for (const Element& element : elements)
    if (element.parent != ElementHandle{}) described.insert(element.window_id);
  std::vector<std::string> awaited;
  for (const DescribedWindow& window : windows) {
    if (!window.application || window.info.minimized || described.contains(window.info.id)) continue;
    const auto age = age_of(window.info.pid);
    if (!age || *age >= kConnectsWithin) continue;
    const std::string maps = content_of("/proc/" + std::to_string(window.info.pid) + "/maps");
    if (will_expose_elements(*age, maps)) awaited.push_back(window.info.id);
  }
  return awaited;
}

}  // namespace da::actuator::x11
