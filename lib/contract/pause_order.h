// What stops actions, in order of precedence: a halt, then pauses: a locked session, a console, a person at the desktop,
// and last a policy without heartbeats, which ends by itself. Actuator and policy use this one order. A halt is kept
// apart (lib/service/halt_latch.h), because it survives restarts. Pure; any thread.
#pragma once

#include "da/v1/outcome.pb.h"
#include "da/v1/pause.pb.h"

namespace da::contract {

// Whether a pause with the cause `a` replaces one with the cause `b`.
bool outranks(v1::Pause::Cause a, v1::Pause::Cause b);

// The code that a step is refused with during a pause.
v1::Outcome::Code refusal_code(v1::Pause::Cause cause);

}  // namespace da::contract
