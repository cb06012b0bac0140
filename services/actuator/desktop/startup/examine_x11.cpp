#include "services/actuator/desktop/startup/examine.h"
#include "services/actuator/desktop/x11/session/display_access.h"
#include "services/actuator/desktop/x11/windows/x11_windows.h"

namespace da::actuator {
namespace {

constexpr char kManagerAdvice[] = "start a window manager that speaks EWMH, such as openbox";

service::Check check_window_manager(x11::X11Windows& windows) {
  const auto managed = windows.managed();
  if (!managed) return {"window manager", false, managed.error().message, kManagerAdvice};
  if (!*managed) return {"window manager", false, "no window manager answers", kManagerAdvice};
  return {"window manager", true, "it answers", ""};
}

service::Check check_access() {
  using x11::DisplayAccess;
  const char* name = "display access";
  const char* advice =
      "start the X server with an authority file (-auth), as deploy/desktop does, and take back what `xhost` allows";
  const auto access = x11::display_access("");
  if (!access) return {name, false, access.error().message, advice};
  switch (*access) {
    case DisplayAccess::kWithKey: return {name, true, "only with a key", ""};
    case DisplayAccess::kAnyLocalUser:
      return {name, false, "every user of this machine can read the screen and send input", advice};
    case DisplayAccess::kAnybody: break;
  }
  return {name, false, "anybody can read the screen and send input: access control is off", advice};
}

// Empty without a display, which the check of the desktop reports.
std::vector<service::Check> check_display() {
  const auto windows = x11::X11Windows::open("", system_clock());
  if (!windows) return {};
  return {check_window_manager(**windows), check_access()};
}

}  // namespace

NativeExam native_exam() {
  return {.desktop_advice = "set DISPLAY to an X11 display of yours, or let deploy/run start one",
          .monitors_advice = "the X server needs the RANDR extension",
          .capture_advice = "the X server needs the MIT-SHM and DAMAGE extensions, on this machine",
          .windows_advice = kManagerAdvice,
          .tree_name = "accessibility bus",
          .tree_advice =
              "run inside a session D-Bus with at-spi2-core installed (deploy/desktop does); without it "
              "targets are found by reading the screen alone",
          .more = check_display()};
}

}  // namespace da::actuator
