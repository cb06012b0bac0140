#include "services/actuator/desktop/startup/open_desktop.h"
#include "services/actuator/desktop/win32/win32_desktop.h"

namespace da::actuator {

std::string_view native_backend() { return "win32"; }

Result<std::unique_ptr<Desktop>> open_native_desktop(DesktopUse use, const Clock& clock) {
  return open_win32_desktop(clock, use == DesktopUse::kDrive ? Win32Use::kDrive : Win32Use::kExamine);
}

}  // namespace da::actuator
