#include "services/actuator/desktop/examine.h"

#include "services/actuator/desktop/open_desktop.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kTreeTimeout{5000};

template <class T>
service::Check check(const char* name, const Result<T>& result, const std::string& found, const std::string& advice) {
  return {name, result.has_value(), result ? found : result.error().message, result ? "" : advice};
}

std::string size_of(const Rect& rect) { return std::to_string(rect.width) + "x" + std::to_string(rect.height); }

service::Check check_windows(Windows& windows) {
  const std::string advice = "start a window manager that speaks EWMH, such as openbox";
  const auto managed = windows.managed();
  if (managed && !*managed) return {"window manager", false, "no window manager answers", advice};
  const auto listed = windows.list();
  return check("window manager", listed, listed ? std::to_string(listed->size()) + " windows are listed" : "", advice);
}

service::Check check_accessibility(Desktop& desktop) {
  const auto tree = desktop.ui_tree().read(std::nullopt, {5000, system_clock().now() + kTreeTimeout});
  const std::string advice =
      "run inside a session D-Bus with at-spi2-core installed (deploy/desktop does); without it targets are found by "
      "reading the screen alone";
  if (!tree) return {"accessibility bus", false, tree.error().message, advice};
  if (!tree->available) return {"accessibility bus", false, tree->note, advice};
  return {"accessibility bus", true, std::to_string(tree->elements.size()) + " elements can be read", ""};
}

}  // namespace

std::vector<service::Check> examine_desktop() {
  const auto config = service::Config::parse("[actuator]\nbackend = \"" + std::string(native_backend()) + "\"\n", "doctor");
  const auto desktop = open_desktop(*config, DesktopUse::kExamine, system_clock());
  std::vector<service::Check> checks = {check("display", desktop, desktop ? std::string((*desktop)->id()) : "",
                                              "set DISPLAY to an X11 display of yours, or let deploy/run start one")};
  if (!desktop) return checks;
  const auto layout = (*desktop)->screen().layout();
  checks.push_back(check("monitors", layout,
                         layout ? std::to_string(layout->monitors.size()) + " in " + size_of(layout->desktop) : "",
                         "the X server needs the RANDR extension"));
  checks.push_back(check("capture", (*desktop)->screen().capture(), "the screen can be captured",
                         "the X server needs the MIT-SHM and DAMAGE extensions, on this machine"));
  checks.push_back(check_windows((*desktop)->windows()));
  checks.push_back(check_accessibility(**desktop));
  return checks;
}

}  // namespace da::actuator
