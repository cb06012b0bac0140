// What the policy's answer to a submitted step means to the task machine. Pure; any thread.
// What is missing or unspecified gets its safest meaning: no verdict is a denial, no outcome is an unknown one.
#pragma once

#include <vector>

#include "da/v1/plan.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "lib/base/error.h"
#include "services/planner/task_machine.h"

namespace da::planner {

// Who carries the step out once it is allowed, and so owes its outcome.
enum class Performer { kActuator, kPlanner };

// The verdict's event and, for a step of the actuator that was allowed, the outcome's.
std::vector<Event> events_of(const v1::SubmitReply& reply, const v1::Step& step, Performer performer);

// A call that failed, and not because the task was cancelled: the service is lost (one that is stopping cancels its
// calls), or its answer was an error. fallback is the event in the second case.
Event event_of(const Error& error, const std::string& service, EventKind fallback);

}  // namespace da::planner
