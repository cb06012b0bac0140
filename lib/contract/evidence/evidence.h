// Finds the window and the element of the evidence on which an action acts. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::contract {

// Whether the action goes to the element with the keyboard focus.
bool is_keyboard_tool(const v1::Action& action);

// The window and the element on which the action acts: for a keyboard tool the focused ones. nullptr if unknown.
const v1::Window* subject_window(const v1::Action& action, const v1::Evidence& evidence);
const v1::UiNode* subject_element(const v1::Action& action, const v1::Evidence& evidence);

// The last part of a Linux or Windows path.
std::string base_name(const std::string& path);

}  // namespace da::contract
