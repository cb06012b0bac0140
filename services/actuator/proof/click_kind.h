// Tells what kind of click an action is. Pure; any thread.
#pragma once

#include "da/v1/tools.pb.h"

namespace da::actuator {

bool is_click(const v1::Action& action);

// Whether it is a single left click, which toggles what can be toggled.
bool is_plain_click(const v1::Action& action);

}  // namespace da::actuator
