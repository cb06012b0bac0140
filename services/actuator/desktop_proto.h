// The desktop's values as messages. Pure; any thread, but for the registry that is passed in.
#pragma once

#include <span>

#include "da/v1/observation.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/element_registry.h"

namespace da::actuator {

// With the title as observer and planner may see it.
v1::Window to_proto(const WindowInfo& window);
// With the processes of windows that answer the launch.
v1::LaunchedProcess to_proto(const LaunchedProgram& program, std::span<const WindowInfo> windows);
v1::Monitor to_proto(const MonitorInfo& monitor);
v1::UiNode to_proto(const Element& element, ElementRegistry& registry);

}  // namespace da::actuator
