#include "services/actuator/desktop/examine.h"
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

// Empty without a display, which the check of the desktop reports.
std::vector<service::Check> check_display() {
  const auto windows = x11::X11Windows::open("", system_clock());
  if (!windows) return {};
  return {check_window_manager(**windows)};
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
