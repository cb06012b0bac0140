// Size and monitors of an X display (RandR 1.5), and its scale (the resource Xft.dpi). Uses the caller's connection and
// thread. Errors: kUnavailable.
#pragma once

#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

Result<Layout> read_layout(Connection& connection);

}  // namespace da::actuator::x11
