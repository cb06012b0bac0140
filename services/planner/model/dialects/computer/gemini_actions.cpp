#include <algorithm>

#include "services/planner/model/dialects/computer/tables.h"

namespace da::planner::model {
namespace {

constexpr double kGrid = 1000;          // Gemini's places are thousandths of the image.
constexpr double kDefaultScroll = 800;  // Thousandths of the image.

int on_image(double thousandths, std::uint32_t size) {
  const auto last = static_cast<int>(size) - 1;
  return std::clamp(static_cast<int>(thousandths * size / kGrid), 0, std::max(last, 0));
}

Point grid_point(ActionFields& fields, const Screen& screen, const char* x = "x", const char* y = "y") {
  const double across = fields.number(x, 0, kGrid);
  const double down = fields.number(y, 0, kGrid);
  return {on_image(across, screen.width), on_image(down, screen.height)};
}

Point grid_point_or_pointer(ActionFields& fields, const Screen& screen) {
  return fields.has("x") || fields.has("y") ? grid_point(fields, screen) : screen.pointer;
}

template <const char* kButton, int kClicks = 1>
OurCalls click_grid_point(ActionFields& fields, Screen& screen) {
  const Point at = grid_point(fields, screen);
  return at_pointer(screen, at, click(at, kButton, kClicks));
}

OurCalls move_pointer(ActionFields& fields, Screen& screen) {
  const Point at = grid_point(fields, screen);
  return at_pointer(screen, at, point_at(at));
}

template <bool kDown>
OurCalls mouse_button(ActionFields& fields, Screen& screen) {
  const Point at = grid_point_or_pointer(fields, screen);
  const std::string which = fields.has("button") ? fields.one_of("button", {"left", "right", "middle"}) : "left";
  return at_pointer(screen, at, press_button(at, which, kDown));
}

OurCall typed(const std::string& text, bool enter) {
  OurCall call{"keyboard_type", {{"text", text}}, {}};
  if (enter) call.args["submit"] = true;
  return call;
}

OurCalls type_at_caret(ActionFields& fields, Screen&) {
  const std::string text = fields.text("text");
  return {typed(text, fields.flag("press_enter"))};
}

// Gemini 2.5's type_text_at clicks, empties the field and presses enter at the end, unless an argument forbids that.
OurCalls type_text_at(ActionFields& fields, Screen& screen) {
  const Point at = grid_point(fields, screen);
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
  return at_pointer(screen, at, wheel(at, direction, notches(pixels)));
}

std::string direction_of(ActionFields& fields) { return fields.one_of("direction", {"up", "down", "left", "right"}); }

double extent_along(const Screen& screen, const std::string& direction) {
  return direction == "left" || direction == "right" ? screen.width : screen.height;
}

OurCalls scroll_at(ActionFields& fields, Screen& screen) {
  const Point at = grid_point(fields, screen);
  const std::string direction = direction_of(fields);
  const double magnitude = fields.number_or("magnitude", kDefaultScroll, 0, kGrid);
  return scrolled(screen, at, direction, magnitude * extent_along(screen, direction) / kGrid);
}

OurCalls scroll_document(ActionFields& fields, Screen& screen) {
  const std::string direction = direction_of(fields);
  const Point middle{static_cast<int>(screen.width / 2), static_cast<int>(screen.height / 2)};
  return scrolled(screen, middle, direction, kDefaultScroll * extent_along(screen, direction) / kGrid);
}

OurCalls scroll_by_pixels(ActionFields& fields, Screen& screen) {
  const Point at = grid_point_or_pointer(fields, screen);
  const std::string direction = direction_of(fields);
  const double usual = kDefaultScroll * extent_along(screen, direction) / kGrid;
  return scrolled(screen, at, direction, fields.number_or("magnitude_in_pixels", usual, 0, kFarthestScrollArgument));
}

OurCalls drag_and_drop(ActionFields& fields, Screen& screen) {
  const bool old = fields.has("destination_x");
  const Point from = old ? grid_point(fields, screen) : grid_point(fields, screen, "start_x", "start_y");
  const Point to =
      old ? grid_point(fields, screen, "destination_x", "destination_y") : grid_point(fields, screen, "end_x", "end_y");
  return at_pointer(screen, to, drag({from, to}));
}

OurCalls wait_5_seconds(ActionFields&, Screen&) { return {wait(5)}; }

OurCalls wait_seconds(ActionFields& fields, Screen&) {
  return {wait(fields.number_or("seconds", 1, 0, kLongestWaitArgument))};
}

OurCalls go_back(ActionFields&, Screen&) { return {keys({"alt", "left"})}; }

OurCalls go_forward(ActionFields&, Screen&) { return {keys({"alt", "right"})}; }

constexpr ActionRow kGeminiActions[] = {
    // Functions since 3.5.
    {"click", click_grid_point<kLeftButton>},
    {"double_click", click_grid_point<kLeftButton, 2>},
    {"triple_click", click_grid_point<kLeftButton, 3>},
    {"right_click", click_grid_point<kRightButton>},
    {"middle_click", click_grid_point<kMiddleButton>},
    {"move", move_pointer},
    {"mouse_down", mouse_button<true>},
    {"mouse_up", mouse_button<false>},
    {"type", type_at_caret},
    {"press_key", press_key},
    {"key_down", held_key},
    {"key_up", held_key},
    {"hotkey", hotkey},
    {"scroll", scroll_by_pixels},
    {"drag_and_drop", drag_and_drop},
    {"wait", wait_seconds},
    {"take_screenshot", only_look},
    {"go_back", go_back},
    {"go_forward", go_forward},
    // Functions of 2.5.
    {"click_at", click_grid_point<kLeftButton>},
    {"hover_at", move_pointer},
    {"type_text_at", type_text_at},
    {"key_combination", key_combination},
    {"scroll_at", scroll_at},
    {"scroll_document", scroll_document},
    {"wait_5_seconds", wait_5_seconds},
};

}  // namespace

std::span<const ActionRow> gemini_actions() { return kGeminiActions; }

}  // namespace da::planner::model
