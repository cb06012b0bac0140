// Brings the window that a sentence names to the front, where another one may hide its target: `click "OK" in
// "Orders"`. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "da/v1/observation.pb.h"
#include "services/planner/plain/goal.h"

namespace da::planner::plain {

// Whether the sentence acts on a target in a window that it names.
bool names_window(const Command& command);

// The title of that window if it is minimised, or another window lies in front of it. nullopt if there is none, if
// several have the title, or if a dialog blocks it and has to be answered first.
std::optional<std::string> window_behind(const Command& command, const v1::Observation& seen);

}  // namespace da::planner::plain
