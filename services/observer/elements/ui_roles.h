// Classifies UI elements by role and state. Pure; any thread.
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

// Shows something and does not react.
bool is_passive(std::string_view role);

// Contains usable elements, but is not one.
bool is_container(std::string_view role);

bool is_window(std::string_view role);

// Drawn on top of the window that it belongs to, and possibly outside of it.
bool pops_up(std::string_view role);

// A row or item, of which a list may have thousands.
bool is_repeated(std::string_view role);

// True if the role and states say that it reacts to a click or typing; it may still be hidden or disabled. With an
// unknown role, a focusable element without children counts too.
bool takes_input(const v1::UiNode& node, bool has_children);

}  // namespace da::observer
