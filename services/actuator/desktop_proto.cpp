#include "services/actuator/desktop_proto.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "services/actuator/privacy/masks.h"

namespace da::actuator {
namespace {

v1::UiState to_ui_state(ElementState state) {
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
    case ElementState::kSelectable: return v1::UI_STATE_SELECTABLE;
    case ElementState::kScrolledOut: return v1::UI_STATE_SCROLLED_OUT;
    case ElementState::kTransient: return v1::UI_STATE_TRANSIENT;
  }
  return v1::UI_STATE_UNSPECIFIED;
}

v1::Window::Kind to_window_kind(WindowKind kind) {
  switch (kind) {
    case WindowKind::kMain: return v1::Window::KIND_UNSPECIFIED;
    case WindowKind::kDialog: return v1::Window::KIND_DIALOG;
    case WindowKind::kSplash: return v1::Window::KIND_SPLASH;
    case WindowKind::kPopup: return v1::Window::KIND_TOOLTIP;
  }
  return v1::Window::KIND_UNSPECIFIED;
}

}  // namespace

v1::Window to_proto(const WindowInfo& window) {
  v1::Window message;
  message.set_window_id(window.id);
  message.set_title(std::string(shown_title(window)));
  message.set_pid(window.pid);
  message.set_executable(window.executable);
  message.set_process_start(window.process_start);
  *message.mutable_bounds() = contract::to_proto(window.bounds);
  message.set_focused(window.focused);
  message.set_minimized(window.minimized || !window.mapped);
  message.set_kind(to_window_kind(window.kind));
  message.set_blocked_by(window.blocked_by);
  return message;
}

v1::ClickArea to_proto(const ClickArea& area) {
  v1::ClickArea message;
  message.set_window_id(area.window.id);
  message.set_owner_id(area.owner_id);
  message.set_listed(area.listed);
  message.set_pid(area.window.pid);
  message.set_title(std::string(shown_title(area.window)));
  message.set_executable(area.window.executable);
  message.set_kind(to_window_kind(area.window.kind));
  message.set_grabs_clicks(area.grabs_clicks);
  message.set_only_shows(area.only_shows);
  for (const Rect& part : area.parts) *message.add_parts() = contract::to_proto(part);
  return message;
}

v1::LaunchedProcess to_proto(const LaunchedProgram& program, std::span<const WindowInfo> windows) {
  v1::LaunchedProcess message;
  message.set_pid(program.pid);
  message.mutable_pids()->Assign(program.pids.begin(), program.pids.end());
  message.set_starting(!program.token.empty());
  for (const WindowInfo& window : windows) {
    if (program.token.empty() || window.launch_token != program.token) continue;
    message.set_starting(false);
    // An instance that ran before may open the window instead.
    if (std::ranges::find(program.pids, window.pid) == program.pids.end()) message.add_pids(window.pid);
  }
  message.set_ended(program.ended);
  message.set_exit_status(program.exit_status);
  message.set_last_output(escape_invalid_utf8(program.last_line));
  return message;
}

v1::Monitor to_proto(const MonitorInfo& monitor) {
  v1::Monitor message;
  message.set_name(monitor.name);
  *message.mutable_bounds() = contract::to_proto(monitor.bounds);
  message.set_scale(monitor.scale);
  return message;
}

v1::CursorShape to_proto(CursorShape shape) {
  switch (shape) {
    case CursorShape::kUnknown: return v1::CURSOR_SHAPE_UNSPECIFIED;
    case CursorShape::kArrow: return v1::CURSOR_SHAPE_ARROW;
    case CursorShape::kText: return v1::CURSOR_SHAPE_TEXT;
    case CursorShape::kHand: return v1::CURSOR_SHAPE_HAND;
    case CursorShape::kBusy: return v1::CURSOR_SHAPE_BUSY;
    case CursorShape::kCross: return v1::CURSOR_SHAPE_CROSS;
    case CursorShape::kMove: return v1::CURSOR_SHAPE_MOVE;
    case CursorShape::kResize: return v1::CURSOR_SHAPE_RESIZE;
    case CursorShape::kForbidden: return v1::CURSOR_SHAPE_FORBIDDEN;
    case CursorShape::kHelp: return v1::CURSOR_SHAPE_HELP;
  }
  return v1::CURSOR_SHAPE_UNSPECIFIED;
}

v1::UiNode to_proto(const Element& element, ElementRegistry& registry) {
  v1::UiNode message;
  message.set_element_id(registry.id_of(element.handle));
  if (!element.parent.native.empty()) message.set_parent_id(registry.id_of(element.parent));
  message.set_window_id(element.window_id);
  message.set_role(element.role);
  message.set_name(element.name);
  if (!element.has(ElementState::kPassword)) message.set_text(element.text);
  message.set_placeholder(element.placeholder);
  *message.mutable_bounds() = contract::to_proto(element.bounds);
  if (element.visible != element.bounds) *message.mutable_visible() = contract::to_proto(element.visible);
  if (element.range) {
    message.mutable_range()->set_value(element.range->value);
    message.mutable_range()->set_minimum(element.range->minimum);
    message.mutable_range()->set_maximum(element.range->maximum);
    message.mutable_range()->set_step(element.range->step);
  }
  for (const ElementState state : element.states) message.add_states(to_ui_state(state));
  return message;
}

v1::Pause::Cause to_proto(SessionObstacle::Kind obstacle) {
  switch (obstacle) {
    case SessionObstacle::Kind::kLocked: return v1::Pause::CAUSE_SESSION_LOCKED;
    case SessionObstacle::Kind::kSecureDesktop: return v1::Pause::CAUSE_SECURE_DESKTOP;
    case SessionObstacle::Kind::kDisconnected: return v1::Pause::CAUSE_DISCONNECTED;
  }
  return v1::Pause::CAUSE_SESSION_LOCKED;
}

Button to_button(v1::MouseButton button) {
  switch (button) {
    case v1::MOUSE_BUTTON_RIGHT: return Button::kRight;
    case v1::MOUSE_BUTTON_MIDDLE: return Button::kMiddle;
    default: return Button::kLeft;
  }
}

}  // namespace da::actuator
