#include "services/planner/plain/actions.h"

#include <algorithm>

namespace da::planner::plain {
namespace {

constexpr double kMaxSleepSeconds = 5;  // Of one call; the planner chains them.

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

struct Draft {
  v1::Action operator()(const OpenApp& c) const { return launch(c.command); }
  v1::Action operator()(const FocusWindow& c) const {
    v1::Action action;
    action.mutable_focus_window()->set_title(c.title);
    return action;
  }
  v1::Action operator()(const TypeText& c) const {
    if (!c.field) return write(c.text);
    v1::Action action;
    action.mutable_type_in_described_field()->set_target_description(*c.field);
    action.mutable_type_in_described_field()->set_text_to_type(c.text);
    return action;
  }
  v1::Action operator()(const PasteText& c) const {
    v1::Action action;
    action.mutable_paste()->set_text(c.text);
    return action;
  }
  v1::Action operator()(const PressKeys& c) const { return press(c.keys); }
  v1::Action operator()(const Click& c) const {
    if (const Point* at = std::get_if<Point>(&c.target)) return mouse_click(c.kind, *at);
    v1::Action action;
    action.mutable_click_described_element()->set_target_description(std::get<std::string>(c.target));
    return action;
  }
  v1::Action operator()(const Scroll& c) const {
    const Point* at = c.target ? std::get_if<Point>(&*c.target) : nullptr;
    return scroll(at != nullptr ? *at : Point{}, c.notches_down);
  }
  v1::Action operator()(const Drag& c) const {
    const auto place = [](const Target& target) {
      const Point* at = std::get_if<Point>(&target);
      return at != nullptr ? *at : Point{};
    };
    return drag(place(c.from), place(c.to));
  }
  v1::Action operator()(const Select& c) const {
    v1::Action action;
    action.mutable_click_described_element()->set_target_description(c.list);
    return action;
  }
  v1::Action operator()(const WaitSeconds& c) const { return sleep(c.seconds); }
  v1::Action operator()(const WaitForText& c) const {
    v1::Action action;
    action.mutable_wait_for()->set_text(c.text);
    action.mutable_wait_for()->set_secs(c.seconds);
    return action;
  }
  v1::Action operator()(const Check& c) const {
    v1::Action action;
    auto& check = *action.mutable_check_element_property();
    check.set_target_description(c.target);
    check.set_property(to_proto(c.property));
    if (c.property == Property::kText) check.set_expected(c.expected);
    return action;
  }
  v1::Action operator()(const If& c) const { return (*this)(c.condition); }
  v1::Action operator()(const CloseWindow& c) const {
    v1::Action action;
    action.mutable_close_window()->set_title(c.title);
    return action;
  }
  v1::Action operator()(const TerminateApp& c) const {
    v1::Action action;
    action.mutable_app_terminate()->set_title(c.title);
    return action;
  }
  v1::Action operator()(const DeleteFile& c) const {
    v1::Action action;
    action.mutable_file_delete()->set_path(c.path);
    return action;
  }
};

}  // namespace

v1::Action draft_action(const Command& command) { return std::visit(Draft(), command); }

v1::Action launch(const std::string& command) {
  v1::Action action;
  action.mutable_launch()->set_command(command);
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

v1::Action ui_click(const std::string& element_id, ClickKind kind) {
  v1::Action action;
  v1::UiClick& click = *action.mutable_ui_click();
  click.set_element_id(element_id);
  if (kind == ClickKind::kDouble) click.set_double_click(true);
  if (kind == ClickKind::kRight) click.set_button(v1::MOUSE_BUTTON_RIGHT);
  return action;
}

v1::Action mouse_click(ClickKind kind, Point at) {
  v1::Action action;
  v1::Mouse& mouse = *action.mutable_mouse();
  mouse.set_x(at.x);
  mouse.set_y(at.y);
  if (kind == ClickKind::kDouble) mouse.set_clicks(2);
  if (kind == ClickKind::kRight) mouse.set_button(v1::MOUSE_BUTTON_RIGHT);
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
