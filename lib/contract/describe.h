// Actions and the catalogue as text, JSON and documents. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "da/v1/tools.pb.h"

namespace da::contract {

// kCut shortens long texts and ends them with "...".
enum class Extent { kCut, kWhole };

// One line for people: `mouse x=10 y=20 clicks=2`, `write text="Grüße\n"`. Escapes foreign text, quotes and
// backslashes, so that text cannot fake another text or argument. Use kWhole for a person who decides about the action.
std::string describe(const v1::Action& action, Extent extent = Extent::kCut);

// The arguments as a model would write them: {"x":10,"y":20}.
nlohmann::json to_json(const v1::Action& action);

// The whole call: {"tool":"mouse","args":{"x":10,"y":20}}.
nlohmann::json call_json(const v1::Action& action);

// "safe", "write" or "critical".
std::string_view risk_name(v1::Risk risk);

// The catalogue for scripts: name, aliases, summary, risk, handler and a JSON schema of the arguments.
nlohmann::json catalogue_json();

// Each tool with its arguments in a few lines, for a model's prompt.
std::string tool_list();

// Actions of Mark-I's dialect with their parameters: the allowed ones, or all if none is given.
std::string suggestion_list(std::span<const std::string> allowed);

// The content of docs/TOOL_INTERFACE.md.
std::string tool_interface_markdown();

}  // namespace da::contract
