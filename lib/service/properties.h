// State of a service for `da-console status`: names and values for people. Plain data.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace da::service {

using Properties = std::vector<std::pair<std::string, std::string>>;

}  // namespace da::service
