// What asks a service to stop. Linux: SIGTERM, SIGINT, SIGHUP, and the end of the parent of an embedded run. Windows:
// Ctrl+C, Ctrl+Break, closing the console, logging off, shutting down, and the event "Local\\da-<name>-stop-<pid>",
// which the same user's programs of that session can set.
#pragma once

#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/service/parent.h"

namespace da::service {

enum class StopReason { kRequest, kParentGone };

// Prepares the process: stop requests wait for wait_for_stop() instead of ending the process, a broken connection is an
// error and not a signal, and other processes of the user cannot look into this one (Linux only). Call it before other
// threads start. `name`: of the service.
Result<void> prepare_service_process(const std::string& name);

// nullopt after `timeout`; a negative timeout waits forever. The main thread.
std::optional<StopReason> wait_for_stop(const Parent& parent, Milliseconds timeout);

// Ends the process by force unless it has ended by itself within this time.
void end_process_within(std::chrono::seconds time);

}  // namespace da::service
