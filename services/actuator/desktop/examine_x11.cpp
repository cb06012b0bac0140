#include "services/actuator/desktop/examine.h"
#include "services/actuator/desktop/x11/windows/x11_windows.h"

namespace da::actuator {
namespace {

service::Check check_window_manager() {
  const auto windows = x11::X11Windows::open("", system_clock());
  if (!windows) return {"window manager", false, windows.error().message, ""};
  const auto managed = (*windows)->managed();
  if (!managed) return {"window manager", false, managed.error().message, ""};
  if (*managed) return {"window manager", true, "it answers", ""};
  return {"window manager", false, "no window manager answers",
          "start a window manager that speaks EWMH, such as openbox"};
}

}  // namespace

NativeExam native_exam() {
  return {.desktop_advice = "set DISPLAY to an X11 display of yours, or let deploy/run start one",
          .monitors_advice = "the X server needs the RANDR extension",
          .capture_advice = "the X server needs the MIT-SHM and DAMAGE extensions, on this machine",
          .windows_advice = "start a window manager that speaks EWMH, such as openbox",
          .tree_name = "accessibility bus",
          .tree_advice = "run inside a session D-Bus with at-spi2-core installed (deploy/desktop does); without it "
                         "targets are found by reading the screen alone",
          .more = {check_window_manager()}};
}

}  // namespace da::actuator
