#include <algorithm>
#include <cmath>
#include <sstream>

#include "services/planner/model/dialects/computer/tables.h"

namespace da::planner::model {
namespace {

constexpr double kMostRepeats = 50;
constexpr double kMostWheelClicks = 100;

// The "text" of a click names keys to hold, which our mouse tool cannot do.
void refuse_held_keys_text(ActionFields& fields) {
  if (!fields.text_or("text", "").empty()) {
    fields.refuse("cannot hold keys (its text); use key, or click without them");
  }
}

Point coordinate_or_pointer(ActionFields& fields, const Screen& screen) {
  if (fields.has("coordinate")) return fields.pair("coordinate");
  fields.pass_over("coordinate");
  return screen.pointer;
}

template <const char* kButton, int kClicks = 1>
OurCalls click_coordinate(ActionFields& fields, Screen& screen) {
  const Point at = coordinate_or_pointer(fields, screen);
  refuse_held_keys_text(fields);
  return at_pointer(screen, at, click(at, kButton, kClicks));
}

// A drag of computer_20241022 starts at the pointer.
OurCalls left_click_drag(ActionFields& fields, Screen& screen) {
  const Point from = fields.has("start_coordinate") ? fields.pair("start_coordinate") : screen.pointer;
  fields.pass_over("start_coordinate");
  const Point to = fields.pair("coordinate");
  refuse_held_keys_text(fields);
  return at_pointer(screen, to, drag({from, to}));
}

OurCalls mouse_move(ActionFields& fields, Screen& screen) {
  const Point at = fields.pair("coordinate");
  return at_pointer(screen, at, point_at(at));
}

template <bool kDown>
OurCalls left_button(ActionFields& fields, Screen& screen) {
  const Point at = coordinate_or_pointer(fields, screen);
  return at_pointer(screen, at, press_button(at, "left", kDown));
}

OurCalls scroll_by_clicks(ActionFields& fields, Screen& screen) {
  const Point at = coordinate_or_pointer(fields, screen);
  const std::string direction = fields.one_of("scroll_direction", {"up", "down", "left", "right"});
  const int amount = static_cast<int>(std::lround(fields.number("scroll_amount", 0, kMostWheelClicks)));
  refuse_held_keys_text(fields);
  return at_pointer(screen, at, wheel(at, direction, amount));
}

// Keys in xdotool's spelling: "ctrl+s", "Return", or several, separated by blanks.
OurCalls press_xdotool_keys(ActionFields& fields, Screen&) {
  std::istringstream words(fields.text("text"));
  const auto repeats = static_cast<int>(std::lround(fields.number_or("repeat", 1, 1, kMostRepeats)));
  std::vector<std::vector<std::string>> chords;
  for (std::string word; words >> word;) chords.push_back(keys_of(word));
  if (chords.empty()) fields.refuse("needs a key in its text");
  OurCalls calls;
  const bool all_single = std::ranges::all_of(chords, [](const auto& chord) { return chord.size() == 1; });
  if (all_single && (chords.size() > 1 || repeats > 1)) {
    std::vector<std::string> taps;
    for (int i = 0; i < repeats; ++i) {
      for (const auto& chord : chords) taps.push_back(chord.front());
    }
    return {{"press", {{"keys", taps}}, {}}};
  }
  for (int i = 0; i < repeats; ++i) {
    for (const auto& chord : chords) calls.push_back(keys(chord));
  }
  return calls;
}

OurCalls hold_key(ActionFields& fields, Screen&) {
  fields.refuse("is not possible here: keys are never held over time; use key");
  return {};
}

OurCalls type_argument(ActionFields& fields, Screen&) { return {type(fields.text("text"))}; }

OurCalls wait_duration(ActionFields& fields, Screen&) {
  return {wait(fields.number("duration", 0, kLongestWaitArgument))};
}

OurCalls zoom_region(ActionFields& fields, Screen&) {
  const auto box = fields.numbers("region", 4);
  const auto whole = [](double number) { return static_cast<int>(std::lround(number)); };
  if (box[2] <= box[0] || box[3] <= box[1]) fields.refuse("has an empty region: it is [x0, y0, x1, y1]");
  return {{"zoom",
           {{"x", whole(box[0])},
            {"y", whole(box[1])},
            {"width", whole(box[2] - box[0])},
            {"height", whole(box[3] - box[1])}},
           {}}};
}

constexpr ActionRow kAnthropicActions[] = {{"key", press_xdotool_keys},
                                           {"hold_key", hold_key},
                                           {"type", type_argument},
                                           {"cursor_position", only_look},  // Each turn tells the pointer's position.
                                           {"mouse_move", mouse_move},
                                           {"left_mouse_down", left_button<true>},
                                           {"left_mouse_up", left_button<false>},
                                           {"left_click", click_coordinate<kLeftButton>},
                                           {"left_click_drag", left_click_drag},
                                           {"right_click", click_coordinate<kRightButton>},
                                           {"middle_click", click_coordinate<kMiddleButton>},
                                           {"double_click", click_coordinate<kLeftButton, 2>},
                                           {"triple_click", click_coordinate<kLeftButton, 3>},
                                           {"scroll", scroll_by_clicks},
                                           {"wait", wait_duration},
                                           {"screenshot", only_look},
                                           {"zoom", zoom_region}};

}  // namespace

std::span<const ActionRow> anthropic_actions() { return kAnthropicActions; }

}  // namespace da::planner::model
