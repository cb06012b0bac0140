// One actuator a display: the selection _DA_ACTUATOR, owned as long as the process has its connection.
//
// Taken by the connection of Input, so that once it has no owner the server has carried out the last of that input.
// Errors: kAlreadyExists (names who has it), kUnavailable.
#pragma once

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

constexpr std::string_view kClaimSelection = "_DA_ACTUATOR";

// Waits a little for a predecessor that is just ending.
Result<void> claim_display(Connection& connection, MonoTime deadline);

// The claim of somebody else, as seen by the guardian.
Result<xcb_window_t> claim_owner(Connection& connection);

// Watches for the claim to end: a reply of claim_owner() may change with each event that comes from now on.
Result<void> watch_claim(Connection& connection);

}  // namespace da::actuator::x11
