// Strict JSON to messages. What comes in is hostile: a model's reply, a file, a peer. Pure; any thread.
//
// Refused with an error that names the step, the field, what was given and what is allowed: prose, fences or a byte
// order mark around the object, unknown, missing or duplicate keys at any level, wrong types, numbers out of bounds or
// not finite, nesting deeper than 16, invalid UTF-8, an unknown tool, a justification or a done that is empty or shows
// nothing, done together with steps, more than 1 MiB.
// An optional argument may be null, which is as if it was left out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "da/v1/plan.pb.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::contract {

struct ParsedPlan {
  v1::Plan plan;       // Header, plan_id and step ids are the caller's to set. Coordinates are image pixels.
  std::string remark;  // To be told back to the model: "6 steps were given, the first 4 count". Else empty.
};

inline constexpr int kMaxStepsPerTurn = 4;
inline constexpr std::size_t kMaxJustification = 1000;  // Bytes.

// {"steps":[{"tool","args","human_readable_justification"}...],"done":null|string}
Result<ParsedPlan> parse_steps(std::string_view json);

// What Mark-I's decision module takes, one step at a time: {"action_type","parameters","reasoning"}. The action types
// are the tools that have a name in that dialect, and "NONE": there is nothing more to do, reasoning says why.
struct ParsedSuggestion {
  std::string action_type;
  std::optional<v1::Step> step;  // Unset for NONE.
  std::string reasoning;
};
inline constexpr char kNoAction[] = "NONE";
Result<ParsedSuggestion> parse_suggestion(std::string_view json);

// A model's answer to where a described element is: {"element_label","box":[x,y,w,h],"found"}, in pixels of an image of
// this size. nullopt where it was not found. A box that is empty or reaches outside the image is an error.
Result<std::optional<Rect>> parse_box(std::string_view json, int image_width, int image_height);

// The arguments of one tool, given by name.
Result<v1::Action> parse_action(std::string_view tool, std::string_view args_json);

// Bounds, lengths, key names, exactly-one-of: what the options demand of an action however it was made, and nothing at
// any level that this version does not know. The actuator and the policy check what their peers send with it.
Result<void> validate(const v1::Action& action);

}  // namespace da::contract
