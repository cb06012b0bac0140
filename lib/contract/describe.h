// The contract in words and as documents. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "da/v1/tools.pb.h"

namespace da::contract {

// How much of a long text is shown. What was cut is said: "..." and how many characters follow.
enum class Extent { kCut, kWhole };

// One line for people: `mouse x=10 y=20 clicks=2`, `write text="Grüße\n"`. Foreign text is escaped, quotes and
// backslashes too, so that no text can look like another one or like a further argument. Whoever decides about an
// action must see it whole.
std::string describe(const v1::Action& action, Extent extent = Extent::kCut);

// The arguments as a model would write them: {"x":10,"y":20}.
nlohmann::json to_json(const v1::Action& action);

// The whole call: {"tool":"mouse","args":{"x":10,"y":20}}.
nlohmann::json call_json(const v1::Action& action);

// "safe", "write" or "critical".
std::string_view risk_name(v1::Risk risk);

// The catalogue for scripts: name, aliases, summary, risk, handler and a JSON schema of the arguments.
nlohmann::json catalogue_json();

// Each tool with its arguments in a few lines, as a model is shown them.
std::string tool_list();

// The actions of Mark-I's dialect with their parameters, those that are named; all where none is.
std::string suggestion_list(std::span<const std::string> allowed);

// docs/TOOL_INTERFACE.md, whole.
std::string tool_interface_markdown();

}  // namespace da::contract
