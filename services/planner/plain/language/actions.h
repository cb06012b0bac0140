// Builds the tool calls for sentences. Pure; any thread. Coordinates are desktop pixels.
#pragma once

#include <string>

#include "da/v1/tools.pb.h"
#include "services/planner/plain/language/goal.h"

namespace da::planner::plain {

inline constexpr double kMaxSleepSeconds = 5;  // The catalogue's limit for one sleep; longer waits take several.

// The call as known from the sentence alone: targets stay descriptions, unknown places are 0,0. The parser checks it
// against the catalogue; a dry run shows it if the target is not on the screen.
v1::Action draft_action(const Command& command);

v1::Action write(const std::string& text);
v1::Action press(const std::vector<std::string>& keys);
v1::Action ui_click(const std::string& element_id, ClickKind kind = ClickKind::kSingle,
                    const std::vector<std::string>& modifiers = {});
v1::Action mouse_click(ClickKind kind, Point at, const std::vector<std::string>& modifiers = {});
v1::Action move_pointer(Point to);
v1::Action scroll(Point at, int notches_down);
v1::Action drag(Point from, Point to);
v1::Action sleep(double seconds);

}  // namespace da::planner::plain
