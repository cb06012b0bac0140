// The states of an element that change what an action does to it, with words for people. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"

namespace da::contract {

bool has_state(const v1::UiNode& element, v1::UiState state);

// "off", "on", "disabled", "on, disabled"; empty for an enabled element that cannot be checked.
std::string state_words(const v1::UiNode& element);

// One state in words, such as "on" or "off", "enabled" or "disabled"; empty for states that no action depends on.
std::string state_word(const v1::UiNode& element, v1::UiState state);

}  // namespace da::contract
