// The desktop's values as messages. Pure; any thread, but for the registry that is passed in.
#pragma once

#include "da/v1/observation.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/element_registry.h"

namespace da::actuator {

v1::Window to_proto(const WindowInfo& window);
v1::Monitor to_proto(const MonitorInfo& monitor);
v1::UiNode to_proto(const Element& element, ElementRegistry& registry);

}  // namespace da::actuator
