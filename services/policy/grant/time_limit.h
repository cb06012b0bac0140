// The timeout of an action, after which the policy reports it as lost. Pure; any thread.
#pragma once

#include "da/v1/tools.pb.h"
#include "lib/base/clock.h"

namespace da::policy {

inline constexpr Milliseconds kPrepareTimeout{5'000};

// A base for the desktop, plus time for each unit of input and the pauses between characters and clicks.
Milliseconds execute_timeout(const v1::Action& action);

}  // namespace da::policy
