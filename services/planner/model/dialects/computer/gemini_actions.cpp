#include <algorithm>
#include <cmath>

#include "services/planner/model/dialects/computer/tables.h"

namespace da::planner::model {
namespace {

// Places are told in thousandths of the image, whatever its size.
constexpr double kGrid = 1000;
constexpr double kUsualScroll = 800;  // Of the grid, where scroll_at does not say.
constexpr double kFarthestScroll = 100'000;
constexpr double kLongest = 600;  // Seconds; what is longer than our longest wait is cut.

int on_image(double thousandths, std::uint32_t size) {
  const auto last = static_cast<int>(size) - 1;
  return std::clamp(static_cast<int>(thousandths * size / kGrid), 0, std::max(last, 0));
}

Point place(ActionFields& fields, const Screen& screen, const char* x = "x", const char* y = "y") {
  const double across = fields.number(x, 0, kGrid);
  const double down = fields.number(y, 0, kGrid);
  return {on_image(across, screen.width), on_image(down, screen.height)};
}

Point place_or_pointer(ActionFields& fields, const Screen& screen) {
  return fields.has("x") || fields.has("y") ? place(fields, screen) : screen.pointer;
}

template <int kClicks>
OurCalls left_click(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  return at_pointer(screen, at, click(at, "left", kClicks));
}

OurCalls right_click(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  return at_pointer(screen, at, click(at, "right"));
}

OurCalls middle_click(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  return at_pointer(screen, at, click(at, "middle"));
}

OurCalls move(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  return at_pointer(screen, at, point_at(at));
}

template <bool kDown>
OurCalls button(ActionFields& fields, Screen& screen) {
  const Point at = place_or_pointer(fields, screen);
  const std::string which = fields.has("button") ? fields.one_of("button", {"left", "right", "middle"}) : "left";
  return at_pointer(screen, at, press_button(at, which, kDown));
}

OurCall typed(const std::string& text, bool enter) {
  OurCall call{"keyboard_type", {{"text", text}}, {}};
  if (enter) call.args["submit"] = true;
  return call;
}

OurCalls type_text(ActionFields& fields, Screen&) {
  const std::string text = fields.text("text");
  return {typed(text, fields.flag("press_enter"))};
}

// Of 2.5: click, empty the field unless told not to, type, enter unless told not to.
OurCalls type_text_at(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  const std::string text = fields.text("text");
  const bool enter = !fields.has("press_enter") || fields.flag("press_enter");
  const bool clear = !fields.has("clear_before_typing") || fields.flag("clear_before_typing");
  fields.pass_over("press_enter");
  fields.pass_over("clear_before_typing");
  OurCalls calls = at_pointer(screen, at, click(at));
  if (clear) calls.push_back(keys({"ctrl", "a"}));
  calls.push_back(typed(text, enter));
  return calls;
}

OurCalls press_key(ActionFields& fields, Screen&) { return {keys(keys_of(fields.text("key")))}; }

OurCalls hotkey(ActionFields& fields, Screen&) { return {keys(fields.texts("keys"))}; }

OurCalls key_combination(ActionFields& fields, Screen&) { return {keys(keys_of(fields.text("keys")))}; }

OurCalls held_key(ActionFields& fields, Screen&) {
  fields.refuse("is not possible here: keys are never held over time; use hotkey");
  return {};
}

OurCalls scrolled(Screen& screen, Point at, const std::string& direction, double pixels) {
  const int amount = notches(pixels);
  const int right = direction == "right" ? amount : direction == "left" ? -amount : 0;
  const int down = direction == "down" ? amount : direction == "up" ? -amount : 0;
  return at_pointer(screen, at, wheel(at, right, down));
}

std::string direction_of(ActionFields& fields) { return fields.one_of("direction", {"up", "down", "left", "right"}); }

double along(const Screen& screen, const std::string& direction) {
  return direction == "left" || direction == "right" ? screen.width : screen.height;
}

OurCalls scroll_at(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  const std::string direction = direction_of(fields);
  const double magnitude = fields.number_or("magnitude", kUsualScroll, 0, kGrid);
  return scrolled(screen, at, direction, magnitude * along(screen, direction) / kGrid);
}

OurCalls scroll_document(ActionFields& fields, Screen& screen) {
  const std::string direction = direction_of(fields);
  const Point middle{static_cast<int>(screen.width / 2), static_cast<int>(screen.height / 2)};
  return scrolled(screen, middle, direction, kUsualScroll * along(screen, direction) / kGrid);
}

OurCalls scroll(ActionFields& fields, Screen& screen) {
  const Point at = place_or_pointer(fields, screen);
  const std::string direction = direction_of(fields);
  const double usual = kUsualScroll * along(screen, direction) / kGrid;
  return scrolled(screen, at, direction, fields.number_or("magnitude_in_pixels", usual, 0, kFarthestScroll));
}

OurCalls drag_and_drop(ActionFields& fields, Screen& screen) {
  const bool old = fields.has("destination_x");
  const Point from = old ? place(fields, screen) : place(fields, screen, "start_x", "start_y");
  const Point to =
      old ? place(fields, screen, "destination_x", "destination_y") : place(fields, screen, "end_x", "end_y");
  return at_pointer(screen, to, drag({from, to}));
}

OurCalls wait_5_seconds(ActionFields&, Screen&) { return {wait(5)}; }

OurCalls wait_seconds(ActionFields& fields, Screen&) { return {wait(fields.number_or("seconds", 1, 0, kLongest))}; }

OurCalls only_look(ActionFields&, Screen&) { return {look()}; }

OurCalls go_back(ActionFields&, Screen&) { return {keys({"alt", "left"})}; }

OurCalls go_forward(ActionFields&, Screen&) { return {keys({"alt", "right"})}; }

constexpr ActionRow kActions[] = {
    // Since 3.5.
    {"click", left_click<1>},
    {"double_click", left_click<2>},
    {"triple_click", left_click<3>},
    {"right_click", right_click},
    {"middle_click", middle_click},
    {"move", move},
    {"mouse_down", button<true>},
    {"mouse_up", button<false>},
    {"type", type_text},
    {"press_key", press_key},
    {"key_down", held_key},
    {"key_up", held_key},
    {"hotkey", hotkey},
    {"scroll", scroll},
    {"drag_and_drop", drag_and_drop},
    {"wait", wait_seconds},
    {"take_screenshot", only_look},
    {"go_back", go_back},
    {"go_forward", go_forward},
    // Of 2.5.
    {"click_at", left_click<1>},
    {"hover_at", move},
    {"type_text_at", type_text_at},
    {"key_combination", key_combination},
    {"scroll_at", scroll_at},
    {"scroll_document", scroll_document},
    {"wait_5_seconds", wait_5_seconds},
};

}  // namespace

std::span<const ActionRow> gemini_actions() { return kActions; }

}  // namespace da::planner::model
