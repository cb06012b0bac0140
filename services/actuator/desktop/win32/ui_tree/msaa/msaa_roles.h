// Roles and states of Microsoft Active Accessibility (MSAA) as roles and states of elements. Pure; any thread.
//
// Source: ROLE_SYSTEM_* and STATE_SYSTEM_* of oleacc.h, and "Object Roles" in Microsoft's documentation.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "services/actuator/desktop/roles/ui_tree.h"

namespace da::actuator::win32 {

// nullopt for a role that tells nothing about the element, such as that of a plain window, or that does not exist.
std::optional<std::string_view> role_of_msaa(std::int64_t role);

// Whether an element's default action does the same as a click. For others, such as rows, it does what a double click
// does, or moves the focus.
bool default_action_means_click(std::int64_t role);

bool is_protected(std::int64_t msaa_state);

// Adds what MSAA tells to the states of an element that has its role, and those of the window that shows it: an element
// is enabled and showing only if both say so. Makes a text field whose content is masked a password.
void apply_msaa_state(std::int64_t msaa_state, Element& element);

}  // namespace da::actuator::win32
