// Compares request bodies and prompts with the files in tests/golden/model. DA_UPDATE_GOLDEN=1 in the environment
// writes the files instead.
#pragma once

#include <string_view>

namespace da::planner::model {

// Expects that the body equals NAME.json, which is pretty-printed.
void expect_golden(std::string_view name, std::string_view body);

// Expects that the text equals NAME.txt.
void expect_golden_text(std::string_view name, std::string_view text);

}  // namespace da::planner::model
