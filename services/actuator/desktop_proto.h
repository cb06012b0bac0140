// Converts between the desktop's values and messages. Pure; any thread, except for the registry that is passed in.
#pragma once

#include <span>

#include "da/v1/observation.pb.h"
#include "da/v1/pause.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/roles/applications.h"
#include "services/actuator/desktop/roles/desktop_state.h"
#include "services/actuator/desktop/roles/input.h"
#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/roles/session.h"
#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/roles/windows.h"
#include "services/actuator/target/element_registry.h"

namespace da::actuator {

// Sets the title that observer and planner may see (shown_title).
v1::Window to_proto(const WindowInfo& window);
v1::ClickArea to_proto(const ClickArea& area);
// Adds the processes of windows that carry the launch's startup token.
v1::LaunchedProcess to_proto(const LaunchedProgram& program, std::span<const WindowInfo> windows);
v1::Monitor to_proto(const MonitorInfo& monitor);
v1::CursorShape to_proto(CursorShape shape);
v1::Pause::Cause to_proto(SessionObstacle::Kind obstacle);
v1::UiNode to_proto(const Element& element, ElementRegistry& registry);
// An unspecified button is the left one.
Button to_button(v1::MouseButton button);

}  // namespace da::actuator
