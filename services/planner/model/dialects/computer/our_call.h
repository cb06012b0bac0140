// What the tables of actions are written with. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/planner/model/dialects/computer/actions.h"

namespace da::planner::model {

using OurCalls = std::vector<OurCall>;

OurCall click(Point at, std::string_view button = "left", int clicks = 1);
OurCall point_at(Point at);
OurCall press_button(Point at, std::string_view button, bool down);
OurCall wheel(Point at, int right, int down);  // Notches.
OurCall drag(const std::vector<Point>& path);
OurCall type(const std::string& text);
OurCall wait(double seconds);  // As long as our longest.
OurCall look();

// "ctrl+shift+t" -> {"ctrl","shift","t"}; "ctrl++" -> {"ctrl","+"}
std::vector<std::string> keys_of(std::string_view chord);
// A key is tapped, several are a chord.
OurCall keys(const std::vector<std::string>& held_together);

// Pixels that providers scroll by, as notches of a wheel, at least one. Browsers move by about so many for a notch.
int notches(double pixels);

// The call alone; the pointer is at that place from now on.
OurCalls at_pointer(Screen& screen, Point at, OurCall call);

}  // namespace da::planner::model
