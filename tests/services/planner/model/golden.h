// Request bodies and prompts that are kept as files, in tests/golden/model. With DA_UPDATE_GOLDEN=1 in the environment
// the files are written instead.
#pragma once

#include <string_view>

namespace da::planner::model {

// Expects that the body is that of NAME.json, which is pretty-printed.
void expect_golden(std::string_view name, std::string_view body);

// Expects that the text is that of NAME.txt.
void expect_golden_text(std::string_view name, std::string_view text);

}  // namespace da::planner::model
