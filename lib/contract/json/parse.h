// Strict JSON to messages. The input is hostile: a model's reply, a script's line, a file, a peer. Pure; any thread.
//
// Errors name the step, the field, the given value and the allowed ones. Refused are: prose, fences or a byte order
// mark around the object; unknown, missing or duplicate keys at any level; wrong types; numbers that are out of bounds
// or not finite; nesting deeper than 16; invalid UTF-8; an unknown tool; a justification or done that is empty or
// invisible; done together with steps; more than 1 MiB. null means that an optional argument is left out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "da/v1/plan.pb.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::contract {

struct ParsedPlan {
  v1::Plan plan;       // The caller sets header, plan_id and step ids. Coordinates are image pixels.
  std::string remark;  // Shown to the model: "6 steps were given; only the first 4 count". Usually empty.
};

inline constexpr int kMaxStepsPerTurn = 4;
inline constexpr std::size_t kMaxJustification = 1000;  // Bytes.

// {"steps":[{"tool","args","human_readable_justification"}...],"done":null|string}
Result<ParsedPlan> parse_steps(std::string_view json);

// One step in the format of Mark-I's decision module: {"action_type","parameters","reasoning"}. Action types are the
// tools with a name in that dialect, and "NONE": nothing is left to do, and reasoning says why.
struct ParsedSuggestion {
  std::string action_type;
  std::optional<v1::Step> step;  // Unset for NONE.
  std::string reasoning;
};
inline constexpr char kNoAction[] = "NONE";
Result<ParsedSuggestion> parse_suggestion(std::string_view json);

// One command of a script: {"id","action","payload"}. `action` is a tool's name, or its name in that dialect
// ("ui.click"); `payload` has its arguments, and may be null or absent if none is needed. Coordinates are desktop
// pixels.
struct ParsedCommand {
  std::string id;  // The script's own; also set if the rest of the command is wrong. Empty if unusable.
  Result<std::optional<v1::Action>> action;  // nullopt: kTerminate.
};
// The action that ends the session. It has no payload.
inline constexpr char kTerminate[] = "terminate";
inline constexpr std::size_t kMaxCommandId = 200;  // Bytes.
ParsedCommand parse_command(std::string_view json);

// A model's answer to where an element is: {"element_label","box":[x,y,w,h],"found"}, in pixels of an image of this
// size. nullopt: not found. An empty box, or one that reaches outside the image, is an error.
Result<std::optional<Rect>> parse_box(std::string_view json, int image_width, int image_height);

Result<v1::Action> parse_action(std::string_view tool, std::string_view args_json);

// Checks an action, from whatever source, against its options: bounds, lengths, key names, exactly-one-of. Unknown
// fields at any level are errors. The actuator and the policy check their peers' actions with it.
Result<void> validate(const v1::Action& action);

}  // namespace da::contract
