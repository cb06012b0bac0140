#include "services/planner/model/dialects/computer/tables.h"

namespace da::planner::model {
namespace {

constexpr double kDefaultWaitSeconds = 2;

// Our mouse tool cannot hold keys.
void refuse_held_keys(ActionFields& fields) {
  if (!fields.has("keys")) return fields.pass_over("keys");
  if (!fields.texts("keys").empty()) fields.refuse("cannot hold keys; use keypress, or click without them");
}

OurCalls read_click(ActionFields& fields, Screen& screen) {
  const Point at = fields.point();
  const std::string button = fields.one_of("button", {"left", "right", "wheel"});
  refuse_held_keys(fields);
  return at_pointer(screen, at, click(at, button == "wheel" ? "middle" : button));
}

OurCalls read_double_click(ActionFields& fields, Screen& screen) {
  const Point at = fields.point();
  refuse_held_keys(fields);
  return at_pointer(screen, at, click(at, "left", 2));
}

OurCalls read_drag(ActionFields& fields, Screen& screen) {
  const auto path = fields.path("path");
  refuse_held_keys(fields);
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
  refuse_held_keys(fields);
  return at_pointer(screen, at, point_at(at));
}

OurCalls read_scroll(ActionFields& fields, Screen& screen) {
  const Point at = fields.point();
  const double right = fields.number("scroll_x", -kFarthestScrollArgument, kFarthestScrollArgument);
  const double down = fields.number("scroll_y", -kFarthestScrollArgument, kFarthestScrollArgument);
  refuse_held_keys(fields);
  return at_pointer(screen, at, wheel(at, notches(right), notches(down)));
}

OurCalls read_type(ActionFields& fields, Screen&) { return {type(fields.text("text"))}; }

OurCalls read_wait(ActionFields&, Screen&) { return {wait(kDefaultWaitSeconds)}; }

constexpr ActionRow kOpenAiActions[] = {
    {"click", read_click}, {"double_click", read_double_click}, {"drag", read_drag},     {"keypress", read_keypress},
    {"move", read_move},   {"screenshot", only_look},           {"scroll", read_scroll}, {"type", read_type},
    {"wait", read_wait}};

}  // namespace

std::span<const ActionRow> openai_actions() { return kOpenAiActions; }

}  // namespace da::planner::model
