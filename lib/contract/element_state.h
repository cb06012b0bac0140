// The states of an element that decide what an action does to it, and their words for people. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"

namespace da::contract {

bool has_state(const v1::UiNode& element, v1::UiState state);

// "off", "on", "disabled", "on, disabled"; empty where there is nothing to say. Only roles that can be checked are on
// or off.
std::string state_words(const v1::UiNode& element);

// "on" or "off", "enabled" or "disabled", for one state; of those that no action depends on, empty.
std::string state_word(const v1::UiNode& element, v1::UiState state);

}  // namespace da::contract
