#include <cstdlib>
#include <filesystem>

#include "services/actuator/desktop/startup/open_desktop.h"
#include "services/actuator/desktop/x11/x11_desktop.h"

namespace da::actuator {

std::string_view native_backend() { return "x11"; }

Result<std::unique_ptr<Desktop>> open_native_desktop(DesktopUse use, const Clock& clock) {
  const char* display = std::getenv("DISPLAY");
  if (display == nullptr || *display == '\0') {
    return Error{Code::kFailedPrecondition,
                 "there is no X11 display: set DISPLAY, or use deploy/run, which starts one"};
  }
  if (use == DesktopUse::kExamine) return open_x11_desktop({.display = display}, clock);
  const auto programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return open_x11_desktop({.display = display,
                           .use = X11Use::kDrive,
                           .guardian = programs / "da-guardian",
                           .launcher = programs / "da-launcher"},
                          clock);
}

}  // namespace da::actuator
