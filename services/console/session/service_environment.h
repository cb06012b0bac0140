// The environment variables that a service inherits: only those that it needs. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace da::console {

std::vector<std::string> environment_of(std::string_view service);

}  // namespace da::console
