// Allows one actuator per display: it owns the selection _DA_ACTUATOR as long as its connection lives.
//
// The connection of Input takes it, so that the server has processed all input once the selection has no owner. Errors:
// kAlreadyExists (names the owner), kUnavailable.
#pragma once

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

constexpr std::string_view kClaimSelection = "_DA_ACTUATOR";

// Waits until the deadline for a predecessor that is just ending.
Result<void> claim_display(Connection& connection, MonoTime deadline);

// The window that has claimed the display, for the guardian; XCB_NONE when none has.
Result<xcb_window_t> claim_owner(Connection& connection);

// Requests events about the claim: from now on, claim_owner() changes only with an event.
Result<void> watch_claim(Connection& connection);

}  // namespace da::actuator::x11
