// Chooses the back end that the configuration names: [actuator] backend = "x11" | "fake".
#pragma once

#include <memory>

#include "lib/base/clock.h"
#include "lib/service/config.h"
#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// kDrive claims the desktop: kAlreadyExists when another actuator drives it. kExamine disturbs nobody.
enum class DesktopUse { kExamine, kDrive };

Result<std::unique_ptr<Desktop>> open_desktop(const service::Config& config, DesktopUse use, const Clock& clock);

}  // namespace da::actuator
