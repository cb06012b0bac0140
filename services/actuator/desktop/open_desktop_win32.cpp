#include "services/actuator/desktop/open_desktop.h"

namespace da::actuator {

std::string_view native_backend() { return "win32"; }

Result<std::unique_ptr<Desktop>> open_native_desktop(DesktopUse, const Clock&) {
  return Error{Code::kUnimplemented, "actuator.backend = \"win32\": this build has only the fake desktop"};
}

}  // namespace da::actuator
