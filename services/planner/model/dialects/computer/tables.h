// The tables themselves, for actions.cpp. Each reads one action; unknown names are refused with the names that are
// known.
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

}  // namespace da::planner::model
