// How long the actuator may take for an action before the policy counts it as lost. Pure; any thread.
#pragma once

#include "da/v1/tools.pb.h"
#include "lib/base/clock.h"

namespace da::policy {

inline constexpr Milliseconds kPrepareTimeout{5'000};

// A base for what the desktop needs, plus what the action itself asks for: pauses between characters and clicks.
Milliseconds execute_timeout(const v1::Action& action);

}  // namespace da::policy
