// Chooses the back end that the configuration names: [actuator] backend = "fake", or the native one of this system.
#pragma once

#include <memory>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/service/config.h"
#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// kDrive claims the desktop: kAlreadyExists when another actuator drives it. kExamine disturbs nobody.
enum class DesktopUse { kExamine, kDrive };

Result<std::unique_ptr<Desktop>> open_desktop(const service::Config& config, DesktopUse use, const Clock& clock);

// This system's own desktop, and its name in the configuration: "x11" or "win32". Only open_desktop() calls it.
std::string_view native_backend();
Result<std::unique_ptr<Desktop>> open_native_desktop(DesktopUse use, const Clock& clock);

}  // namespace da::actuator
