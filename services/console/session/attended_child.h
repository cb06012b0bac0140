// Waits for a child process that a person uses, and obeys the stop signals meanwhile. Main thread.
#pragma once

#include <signal.h>

#include "lib/base/clock.h"
#include "lib/os/process/child_process.h"

namespace da::console {

// Returns how the child ended (os::ChildProcess::wait). main has blocked `signals`; one of them ends the child, and
// then the error is kCancelled. kDeadlineExceeded: the child still runs at the deadline, and is killed.
Result<std::string> attend(os::ChildProcess& child, const sigset_t& signals, MonoTime deadline);

}  // namespace da::console
