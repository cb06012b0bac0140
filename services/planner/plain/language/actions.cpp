#include "services/planner/plain/language/actions.h"

#include <algorithm>

namespace da::planner::plain {
namespace {

v1::CheckElementProperty::Property to_proto(Property property) {
  switch (property) {
    case Property::kVisible: return v1::CheckElementProperty::PROPERTY_VISIBLE;
    case Property::kEnabled: return v1::CheckElementProperty::PROPERTY_ENABLED;
    case Property::kChecked: return v1::CheckElementProperty::PROPERTY_CHECKED;
    case Property::kText: return v1::CheckElementProperty::PROPERTY_TEXT;
    case Property::kWindowOpen: return v1::CheckElementProperty::PROPERTY_WINDOW_OPEN;
    case Property::kNotVisible: return v1::CheckElementProperty::PROPERTY_NOT_VISIBLE;
    case Property::kDisabled: return v1::CheckElementProperty::PROPERTY_DISABLED;
    case Property::kUnchecked: return v1::CheckElementProperty::PROPERTY_UNCHECKED;
    case Property::kWindowClosed: return v1::CheckElementProperty::PROPERTY_WINDOW_CLOSED;
  }
  return v1::CheckElementProperty::PROPERTY_UNSPECIFIED;
}

// 0,0 for a target that is not located yet.
Point place_of(const Target& target) {
  const Point* at = std::get_if<Point>(&target);
  return at != nullptr ? *at : Point{};
}

// Fills `action` with the call for a command.
struct Draft {
  v1::Action& action;

  void operator()(const OpenApp& c) const { action.mutable_launch()->set_command(c.command); }
  void operator()(const FocusWindow& c) const { action.mutable_focus_window()->set_title(c.title); }
  void operator()(const TypeText& c) const {
    if (!c.field) {
      action = write(c.text);
      return;
    }
    action.mutable_type_in_described_field()->set_target_description(*c.field);
    action.mutable_type_in_described_field()->set_text_to_type(c.text);
  }
  void operator()(const PasteText& c) const { action.mutable_paste()->set_text(c.text); }
  void operator()(const PressKeys& c) const { action = press(c.keys); }
  void operator()(const Click& c) const {
    if (const Point* at = std::get_if<Point>(&c.target)) {
      action = mouse_click(c.kind, *at, c.modifiers);
    } else {
      action.mutable_click_described_element()->set_target_description(std::get<std::string>(c.target));
    }
  }
  void operator()(const Hover& c) const { action = move_pointer(place_of(c.target)); }
  void operator()(const SetValue& c) const {
    action.mutable_click_described_element()->set_target_description(c.target);
  }
  void operator()(const Scroll& c) const { action = scroll(c.target ? place_of(*c.target) : Point{}, c.notches_down); }
  void operator()(const Drag& c) const {
    const Point from = place_of(c.from);
    action = drag(from, c.by ? Point{from.x + c.by->x, from.y + c.by->y} : place_of(c.to));
  }
  void operator()(const Select& c) const { action.mutable_click_described_element()->set_target_description(c.list); }
  void operator()(const SelectRows& c) const {
    action.mutable_click_described_element()->set_target_description(c.rows.front());
  }
  void operator()(const Copy& c) const { (*this)(Check{c.target, Property::kVisible, {}}); }
  void operator()(const WaitSeconds& c) const { action = sleep(c.seconds); }
  void operator()(const WaitForText& c) const {
    action.mutable_wait_for()->set_text(c.text);
    action.mutable_wait_for()->set_secs(c.seconds);
  }
  void operator()(const Check& c) const {
    auto& check = *action.mutable_check_element_property();
    check.set_target_description(c.target);
    check.set_property(to_proto(c.property));
    if (c.property == Property::kText) check.set_expected(c.expected);
  }
  void operator()(const If& c) const { (*this)(c.condition); }
  void operator()(const WaitUntil& c) const { (*this)(c.condition); }
  void operator()(const While& c) const { (*this)(c.condition); }
  void operator()(const EndWhile&) const { action = sleep(0); }
  void operator()(const CloseWindow& c) const { action.mutable_close_window()->set_title(c.title); }
  void operator()(const TerminateApp& c) const { action.mutable_app_terminate()->set_title(c.title); }
  void operator()(const DeleteFile& c) const { action.mutable_file_delete()->set_path(c.path); }
};

}  // namespace

v1::Action draft_action(const Command& command) {
  v1::Action action;
  std::visit(Draft{action}, command);
  return action;
}

v1::Action write(const std::string& text) {
  v1::Action action;
  action.mutable_write()->set_text(text);
  return action;
}

v1::Action press(const std::vector<std::string>& keys) {
  v1::Action action;
  if (keys.size() == 1) {
    action.mutable_press()->set_key(keys.front());
  } else {
    action.mutable_hotkey()->mutable_keys()->Assign(keys.begin(), keys.end());
  }
  return action;
}

namespace {

v1::HeldKeys held_keys(const std::vector<std::string>& modifiers) {
  int sum = 0;
  for (const std::string& key : modifiers) sum |= key == "ctrl" ? 1 : key == "shift" ? 2 : 4;
  return static_cast<v1::HeldKeys>(sum);
}

}  // namespace

v1::Action ui_click(const std::string& element_id, ClickKind kind, const std::vector<std::string>& modifiers) {
  v1::Action action;
  v1::UiClick& click = *action.mutable_ui_click();
  click.set_element_id(element_id);
  if (kind == ClickKind::kDouble) click.set_double_click(true);
  if (kind == ClickKind::kRight) click.set_button(v1::MOUSE_BUTTON_RIGHT);
  click.set_hold(held_keys(modifiers));
  return action;
}

v1::Action mouse_click(ClickKind kind, Point at, const std::vector<std::string>& modifiers) {
  v1::Action action;
  v1::Mouse& mouse = *action.mutable_mouse();
  mouse.set_x(at.x);
  mouse.set_y(at.y);
  if (kind == ClickKind::kDouble) mouse.set_clicks(2);
  if (kind == ClickKind::kRight) mouse.set_button(v1::MOUSE_BUTTON_RIGHT);
  mouse.set_hold(held_keys(modifiers));
  return action;
}

v1::Action move_pointer(Point to) {
  v1::Action action = mouse_click(ClickKind::kSingle, to);
  action.mutable_mouse()->set_action(v1::Mouse::GESTURE_MOVE);
  return action;
}

v1::Action scroll(Point at, int notches_down) {
  v1::Action action;
  action.mutable_scroll()->set_x(at.x);
  action.mutable_scroll()->set_y(at.y);
  action.mutable_scroll()->set_dy(notches_down);
  return action;
}

v1::Action drag(Point from, Point to) {
  v1::Action action;
  for (const Point& point : {from, to}) {
    v1::PathPoint& place = *action.mutable_drag()->add_path();
    place.set_x(point.x);
    place.set_y(point.y);
  }
  return action;
}

v1::Action sleep(double seconds) {
  v1::Action action;
  action.mutable_sleep()->set_secs(std::min(seconds, kMaxSleepSeconds));
  return action;
}

}  // namespace da::planner::plain
