// The screen of a computer tool's actions, and the calls of our tools that replace them. Values; any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/base/geometry.h"

namespace da::planner::model {

// The screen that the model sees, in image pixels. Actions without a place apply to the pointer's position.
struct Screen {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Point pointer;  // Follows the translated actions.
};

struct OurCall {
  std::string tool;  // Name in the catalogue.
  nlohmann::ordered_json args;
  std::string why;  // The action's own reason; may be empty.
};

}  // namespace da::planner::model
