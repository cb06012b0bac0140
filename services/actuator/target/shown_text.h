// These functions compare what an element shows with a text that was put into it. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "services/actuator/desktop/roles/ui_tree.h"

namespace da::actuator {

// Occurrences that do not overlap. `part` must not be empty.
std::size_t occurrences(std::string_view text, std::string_view part);

// Fields turn line ends into blanks, and terminals break lines.
std::string without_space(std::string_view text);

// Whether the element may have more text than it tells.
bool is_cut(const Element& element);

}  // namespace da::actuator
