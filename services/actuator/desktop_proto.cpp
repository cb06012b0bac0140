#include "services/actuator/desktop_proto.h"

#include "lib/contract/coordinates.h"

namespace da::actuator {
namespace {

v1::UiState to_proto(ElementState state) {
  switch (state) {
    case ElementState::kShowing: return v1::UI_STATE_SHOWING;
    case ElementState::kEnabled: return v1::UI_STATE_ENABLED;
    case ElementState::kFocused: return v1::UI_STATE_FOCUSED;
    case ElementState::kEditable: return v1::UI_STATE_EDITABLE;
    case ElementState::kChecked: return v1::UI_STATE_CHECKED;
    case ElementState::kSelected: return v1::UI_STATE_SELECTED;
    case ElementState::kExpanded: return v1::UI_STATE_EXPANDED;
    case ElementState::kPassword: return v1::UI_STATE_PASSWORD;
    case ElementState::kFocusable: return v1::UI_STATE_FOCUSABLE;
    case ElementState::kMultiLine: return v1::UI_STATE_MULTI_LINE;
  }
  return v1::UI_STATE_UNSPECIFIED;
}

}  // namespace

v1::Window to_proto(const WindowInfo& window) {
  v1::Window message;
  message.set_window_id(window.id);
  message.set_title(window.title);
  message.set_pid(window.pid);
  message.set_executable(window.executable);
  message.set_process_start(window.process_start);
  *message.mutable_bounds() = contract::to_proto(window.bounds);
  message.set_focused(window.focused);
  message.set_minimized(window.minimized || !window.mapped);
  return message;
}

v1::Monitor to_proto(const MonitorInfo& monitor) {
  v1::Monitor message;
  message.set_name(monitor.name);
  *message.mutable_bounds() = contract::to_proto(monitor.bounds);
  message.set_scale(monitor.scale);
  return message;
}

v1::UiNode to_proto(const Element& element, ElementRegistry& registry) {
  v1::UiNode message;
  message.set_element_id(registry.id_of(element.handle));
  if (!element.parent.native.empty()) message.set_parent_id(registry.id_of(element.parent));
  message.set_window_id(element.window_id);
  message.set_role(element.role);
  message.set_name(element.name);
  if (!element.has(ElementState::kPassword)) message.set_text(element.text);
  *message.mutable_bounds() = contract::to_proto(element.bounds);
  for (const ElementState state : element.states) message.add_states(to_proto(state));
  return message;
}

}  // namespace da::actuator
