// A model's answer to a gemini_vision_query condition. The answer is untrusted. Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/geometry.h"

namespace da::planner::rules {

// The JSON value that the answer is, alone or in a Markdown code fence; nullopt if the answer is not JSON.
std::optional<nlohmann::json> json_of_answer(std::string_view answer);

// The answer about a picture of this size that shows `part` of a region: each "box" in its JSON, which is in pixels of
// the picture, becomes one in pixels of the region. Other answers, and boxes that are not four numbers, stay as they
// are.
std::string boxes_in_region(std::string answer, std::uint32_t width, std::uint32_t height, const Rect& part);

// As Mark-I compares, which is written in Python: true equals "True" and "true", null equals "None", 1.0 equals "1".
bool equals_as_text(const nlohmann::json& value, std::string_view expected);

}  // namespace da::planner::rules
