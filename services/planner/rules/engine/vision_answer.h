// A model's answer to a gemini_vision_query condition. The answer is untrusted. Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace da::planner::rules {

// The JSON value that the answer is, alone or in a Markdown code fence; nullopt if the answer is not JSON.
std::optional<nlohmann::json> json_of_answer(std::string_view answer);

// As Mark-I compares, which is written in Python: true equals "True" and "true", null equals "None", 1.0 equals "1".
bool equals_as_text(const nlohmann::json& value, std::string_view expected);

}  // namespace da::planner::rules
