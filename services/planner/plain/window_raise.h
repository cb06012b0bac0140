// Tells which window must come to the front before a sentence that names it (`click "OK" in "Orders"`) can reach its
// target. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "da/v1/observation.pb.h"
#include "services/planner/plain/language/goal.h"

namespace da::planner::plain {

// Whether the sentence acts on a target in a window that it names.
bool names_window(const Command& command);

// Returns the title of that window if it is minimised or another window lies in front of it. Returns nullopt if no
// window or more than one has the title, or if a dialog blocks the window and has to be answered first.
std::optional<std::string> window_behind(const Command& command, const v1::Observation& seen);

}  // namespace da::planner::plain
