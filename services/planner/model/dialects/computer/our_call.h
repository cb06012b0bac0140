// Builds calls of our tools, for the tables of actions. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/planner/model/dialects/computer/computer_call.h"

namespace da::planner::model {

using OurCalls = std::vector<OurCall>;

inline constexpr char kLeftButton[] = "left";
inline constexpr char kRightButton[] = "right";
inline constexpr char kMiddleButton[] = "middle";

OurCall click(Point at, std::string_view button = "left", int clicks = 1);
OurCall point_at(Point at);
OurCall press_button(Point at, std::string_view button, bool down);
OurCall wheel(Point at, int right, int down);                      // Distances in notches.
OurCall wheel(Point at, std::string_view direction, int notches);  // "up", "down", "left" or "right".
OurCall drag(const std::vector<Point>& path);
OurCall type(const std::string& text);
OurCall wait(double seconds);  // Clamped to 5 s, the limit of our tool.
OurCall look();

// "ctrl+shift+t" -> {"ctrl","shift","t"}; "ctrl++" -> {"ctrl","+"}
std::vector<std::string> keys_of(std::string_view chord);
// Presses one key, or several as a chord.
OurCall keys(const std::vector<std::string>& held_together);

// Converts a provider's scroll distance to wheel notches of 100 pixels, as in browsers; at least one unless it is 0.
int notches(double pixels);

// Returns the call and moves screen.pointer to the place.
OurCalls at_pointer(Screen& screen, Point at, OurCall call);

}  // namespace da::planner::model
