// What roles and states of UI elements say about what can be done with them. Pure; any thread.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "da/v1/observation.pb.h"

namespace da::observer {

inline bool one_of(std::string_view role, std::initializer_list<std::string_view> roles) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

bool has_state(const v1::UiNode& node, v1::UiState state);

// It shows something and does nothing.
bool is_passive(std::string_view role);

// It holds what one acts on.
bool is_container(std::string_view role);

// Such windows are drawn on top of their parent's and may reach beyond it.
bool pops_up(std::string_view role);

// A row or an item of something that may repeat it a thousand times.
bool is_repeated(std::string_view role);

// A click or typing on it does something, by its role and states; it may be hidden or disabled all the same. Of a role
// that says nothing, it is enough that the element takes the focus and has no children.
bool takes_input(const v1::UiNode& node, bool has_children);

}  // namespace da::observer
