#include "services/planner/model/dialects/computer/our_call.h"

#include <algorithm>
#include <cmath>

namespace da::planner::model {
namespace {

using nlohmann::ordered_json;

constexpr double kPixelsOfANotch = 100;
constexpr int kMostNotches = 100;
constexpr double kLongestWait = 5;

ordered_json xy_args(Point point) { return {{"x", point.x}, {"y", point.y}}; }

}  // namespace

OurCall click(Point point, std::string_view button, int clicks) {
  ordered_json args = xy_args(point);
  if (button != "left") args["button"] = button;
  if (clicks != 1) args["clicks"] = clicks;
  return {"mouse", std::move(args), {}};
}

OurCall point_at(Point point) {
  ordered_json args = xy_args(point);
  args["action"] = "move";
  return {"mouse", std::move(args), {}};
}

OurCall press_button(Point point, std::string_view button, bool down) {
  ordered_json args = xy_args(point);
  if (button != "left") args["button"] = button;
  args["action"] = down ? "down" : "up";
  return {"mouse", std::move(args), {}};
}

OurCall wheel(Point point, int right, int down) {
  ordered_json args = xy_args(point);
  if (right != 0) args["dx"] = right;
  if (down != 0) args["dy"] = down;
  return {"scroll", std::move(args), {}};
}

OurCall wheel(Point point, std::string_view direction, int notches) {
  const int right = direction == "right" ? notches : direction == "left" ? -notches : 0;
  const int down = direction == "down" ? notches : direction == "up" ? -notches : 0;
  return wheel(point, right, down);
}

OurCall drag(const std::vector<Point>& path) {
  ordered_json points = ordered_json::array();
  for (const Point point : path) points.push_back(xy_args(point));
  return {"drag", {{"path", std::move(points)}}, {}};
}

OurCall type(const std::string& text) { return {"write", {{"text", text}}, {}}; }

OurCall wait(double seconds) { return {"sleep", {{"secs", std::clamp(seconds, 0.0, kLongestWait)}}, {}}; }

OurCall look() { return wait(0); }

std::vector<std::string> keys_of(std::string_view chord) {
  std::vector<std::string> keys;
  while (!chord.empty()) {
    const auto end = chord.find('+', 1);  // A plus at the start is the key itself.
    keys.emplace_back(chord.substr(0, end));
    if (end == std::string_view::npos) break;
    chord.remove_prefix(end + 1);
    if (chord.empty()) keys.emplace_back();  // "ctrl+": the contract refuses the empty key.
  }
  return keys;
}

OurCall keys(const std::vector<std::string>& held_together) {
  if (held_together.size() == 1) return {"press", {{"key", held_together.front()}}, {}};
  return {"hotkey", {{"keys", held_together}}, {}};
}

int notches(double pixels) {
  if (pixels == 0) return 0;
  const int count = std::clamp(static_cast<int>(std::lround(std::abs(pixels) / kPixelsOfANotch)), 1, kMostNotches);
  return pixels < 0 ? -count : count;
}

OurCalls at_pointer(Screen& screen, Point point, OurCall call) {
  screen.pointer = point;
  return {std::move(call)};
}

}  // namespace da::planner::model
