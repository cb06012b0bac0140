#include <algorithm>
#include <cmath>
#include <sstream>

#include "services/planner/model/dialects/computer/tables.h"

namespace da::planner::model {
namespace {

constexpr double kMostRepeats = 50;
constexpr double kMostClicksOfTheWheel = 100;
constexpr double kLongest = 600;  // Seconds; what is longer than our longest wait is cut.

// "text" of a click names keys that are held with it; our mouse has none.
void without_held_keys(ActionFields& fields) {
  if (!fields.text_or("text", "").empty()) {
    fields.refuse("cannot hold keys (its text); use key, or click without them");
  }
}

Point place(ActionFields& fields, const Screen& screen) {
  if (fields.has("coordinate")) return fields.pair("coordinate");
  fields.pass_over("coordinate");
  return screen.pointer;
}

template <int kClicks>
OurCalls left_click(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  without_held_keys(fields);
  return at_pointer(screen, at, click(at, "left", kClicks));
}

OurCalls right_click(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  without_held_keys(fields);
  return at_pointer(screen, at, click(at, "right"));
}

OurCalls middle_click(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  without_held_keys(fields);
  return at_pointer(screen, at, click(at, "middle"));
}

// Of computer_20241022 it begins where the pointer is.
OurCalls left_click_drag(ActionFields& fields, Screen& screen) {
  const Point from = fields.has("start_coordinate") ? fields.pair("start_coordinate") : screen.pointer;
  fields.pass_over("start_coordinate");
  const Point to = fields.pair("coordinate");
  without_held_keys(fields);
  return at_pointer(screen, to, drag({from, to}));
}

OurCalls mouse_move(ActionFields& fields, Screen& screen) {
  const Point at = fields.pair("coordinate");
  return at_pointer(screen, at, point_at(at));
}

template <bool kDown>
OurCalls left_button(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  return at_pointer(screen, at, press_button(at, "left", kDown));
}

OurCalls scroll(ActionFields& fields, Screen& screen) {
  const Point at = place(fields, screen);
  const std::string direction = fields.one_of("scroll_direction", {"up", "down", "left", "right"});
  const int amount = static_cast<int>(std::lround(fields.number("scroll_amount", 0, kMostClicksOfTheWheel)));
  without_held_keys(fields);
  const int right = direction == "right" ? amount : direction == "left" ? -amount : 0;
  const int down = direction == "down" ? amount : direction == "up" ? -amount : 0;
  return at_pointer(screen, at, wheel(at, right, down));
}

// As xdotool writes keys: "ctrl+s", "Return", several with blanks between them.
OurCalls key(ActionFields& fields, Screen&) {
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

OurCalls type_text(ActionFields& fields, Screen&) { return {type(fields.text("text"))}; }

OurCalls wait_for(ActionFields& fields, Screen&) { return {wait(fields.number("duration", 0, kLongest))}; }

// Each turn shows the screen and tells where the pointer is.
OurCalls only_look(ActionFields&, Screen&) { return {look()}; }

OurCalls zoom(ActionFields& fields, Screen&) {
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

constexpr ActionRow kActions[] = {{"key", key},
                                  {"hold_key", hold_key},
                                  {"type", type_text},
                                  {"cursor_position", only_look},
                                  {"mouse_move", mouse_move},
                                  {"left_mouse_down", left_button<true>},
                                  {"left_mouse_up", left_button<false>},
                                  {"left_click", left_click<1>},
                                  {"left_click_drag", left_click_drag},
                                  {"right_click", right_click},
                                  {"middle_click", middle_click},
                                  {"double_click", left_click<2>},
                                  {"triple_click", left_click<3>},
                                  {"scroll", scroll},
                                  {"wait", wait_for},
                                  {"screenshot", only_look},
                                  {"zoom", zoom}};

}  // namespace

std::span<const ActionRow> anthropic_actions() { return kActions; }

}  // namespace da::planner::model
