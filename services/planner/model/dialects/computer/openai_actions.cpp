#include "services/planner/model/dialects/computer/tables.h"

namespace da::planner::model {
namespace {

constexpr double kUnsaidWait = 2;
constexpr double kFarthestScroll = 100'000;

// Our mouse has no keys that are held with it.
void without_held_keys(ActionFields& fields) {
  if (!fields.has("keys")) return fields.pass_over("keys");
  if (!fields.texts("keys").empty()) fields.refuse("cannot hold keys; use keypress, or click without them");
}

OurCalls read_click(ActionFields& fields, Screen& screen) {
  const Point at = fields.point();
  const std::string button = fields.one_of("button", {"left", "right", "wheel"});
  without_held_keys(fields);
  return at_pointer(screen, at, click(at, button == "wheel" ? "middle" : button));
}

OurCalls read_double_click(ActionFields& fields, Screen& screen) {
  const Point at = fields.point();
  without_held_keys(fields);
  return at_pointer(screen, at, click(at, "left", 2));
}

OurCalls read_drag(ActionFields& fields, Screen& screen) {
  const auto path = fields.path("path");
  without_held_keys(fields);
  if (path.size() < 2) fields.refuse("needs a path of at least two points");
  return at_pointer(screen, path.empty() ? Point{} : path.back(), drag(path));
}

OurCalls read_keypress(ActionFields& fields, Screen&) {
  const auto pressed = fields.texts("keys");
  if (pressed.empty()) fields.refuse("needs at least one key");
  return {keys(pressed)};
}

OurCalls read_move(ActionFields& fields, Screen& screen) {
  const Point at = fields.point();
  without_held_keys(fields);
  return at_pointer(screen, at, point_at(at));
}

OurCalls read_screenshot(ActionFields&, Screen&) { return {look()}; }

OurCalls read_scroll(ActionFields& fields, Screen& screen) {
  const Point at = fields.point();
  const double right = fields.number("scroll_x", -kFarthestScroll, kFarthestScroll);
  const double down = fields.number("scroll_y", -kFarthestScroll, kFarthestScroll);
  without_held_keys(fields);
  return at_pointer(screen, at, wheel(at, notches(right), notches(down)));
}

OurCalls read_type(ActionFields& fields, Screen&) { return {type(fields.text("text"))}; }

OurCalls read_wait(ActionFields&, Screen&) { return {wait(kUnsaidWait)}; }

constexpr ActionRow kActions[] = {
    {"click", read_click}, {"double_click", read_double_click}, {"drag", read_drag},     {"keypress", read_keypress},
    {"move", read_move},   {"screenshot", read_screenshot},     {"scroll", read_scroll}, {"type", read_type},
    {"wait", read_wait}};

}  // namespace

std::span<const ActionRow> openai_actions() { return kActions; }

}  // namespace da::planner::model
