#include "services/actuator/desktop/x11/atspi/toolkits/atspi_awaited.h"

#include <algorithm>
#include <array>

#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {

bool will_expose_elements(Milliseconds age, std::string_view maps) {
  // GTK3, Java's bridge, Chromium and Firefox load the first; the others speak the bus's protocol themselves.
  constexpr std::array<std::string_view, 5> kLibraries{"/libatk-bridge-2.0.so", "/libatspi.so", "/libgtk-4.so",
                                                       "/libQt5Gui.so", "/libQt6Gui.so"};
  return age < kConnectsWithin &&
         std::ranges::any_of(kLibraries, [&](std::string_view each) { return maps.find(each) != maps.npos; });
}

std::vector<std::string> AwaitedWindows::find(std::span<const DescribedWindow> windows,
                                              std::span<const Element> elements,
                                              const std::set<std::uint32_t>& connected, MonoTime now) {
  std::map<std::string, MonoTime> seen;
  for (const DescribedWindow& window : windows) {
    const std::string& id = window.info.id;
    const bool known = first_seen_ && first_seen_->contains(id);
    seen[id] = known ? first_seen_->at(id) : first_seen_ ? now : MonoTime();
  }
  first_seen_ = std::move(seen);
  std::set<std::string_view> described;
  for (const Element& element : elements)
    if (element.parent != ElementHandle{}) described.insert(element.window_id);
  std::vector<std::string> awaited;
  for (const DescribedWindow& window : windows) {
    const auto& info = window.info;
    if (!window.application || info.minimized || described.contains(info.id)) continue;
    auto age = age_of(info.pid);
    const MonoTime first = first_seen_->at(info.id);
    if (age && first != MonoTime() && !connected.contains(info.pid))
      age = std::min(*age, std::chrono::duration_cast<Milliseconds>(now - first));
    if (!age || *age >= kConnectsWithin) continue;
    const std::string maps = content_of("/proc/" + std::to_string(info.pid) + "/maps");
    if (will_expose_elements(*age, maps)) awaited.push_back(info.id);
  }
  return awaited;
}

}  // namespace da::actuator::x11
