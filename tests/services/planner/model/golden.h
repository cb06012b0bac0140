// Request bodies that are kept as files, in tests/golden/model.
#pragma once

#include <string_view>

namespace da::planner::model {

// Expects that the body is that of tests/golden/model/NAME.json, which is pretty-printed. With DA_UPDATE_GOLDEN=1 in
// the environment the file is written instead.
void expect_golden(std::string_view name, std::string_view body);

}  // namespace da::planner::model
