// Who may connect to an X display, and so read its screen and send input there.
#pragma once

#include <string>

#include "lib/base/result.h"

namespace da::actuator::x11 {

enum class DisplayAccess {
  kWithKey,       // Only who can read the authority file, or is named by the server.
  kAnyLocalUser,  // Every user of this machine.
  kAnybody,       // Access control is off (`xhost +`), also for other machines if the server listens to them.
};

// Connects without a key to find out; meanwhile nothing reaches stderr, so call it before other threads log. `display`:
// empty for $DISPLAY. kUnavailable: with a key, it does not answer either. A server that names this user (`xhost
// +si:localuser:NAME`) lets the connection pass, which tells nothing about other users: that is reported as kWithKey.
Result<DisplayAccess> display_access(const std::string& display);

}  // namespace da::actuator::x11
