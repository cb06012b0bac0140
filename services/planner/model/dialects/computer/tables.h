// The tables of actions, for actions.cpp, and their shared code. Each row reads one action.
#pragma once

#include <span>
#include <string_view>

#include "services/planner/model/dialects/computer/action_fields.h"
#include "services/planner/model/dialects/computer/our_call.h"

namespace da::planner::model {

struct ActionRow {
  std::string_view name;
  OurCalls (*read)(ActionFields& fields, Screen& screen);
};

std::span<const ActionRow> openai_actions();
std::span<const ActionRow> anthropic_actions();
std::span<const ActionRow> gemini_actions();

// Limits of arguments; wait() and notches() clamp them to the limits of our tools.
inline constexpr double kLongestWaitArgument = 600;         // Seconds.
inline constexpr double kFarthestScrollArgument = 100'000;  // Pixels.

inline OurCalls only_look(ActionFields&, Screen&) { return {look()}; }

}  // namespace da::planner::model
