// Translates the policy's answer to a submitted step into events of the task machine. Pure; any thread.
// Missing or unspecified fields get the safest meaning: no verdict is a denial, no outcome is an unknown outcome.
#pragma once

#include <vector>

#include "da/v1/plan.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "lib/base/error.h"
#include "services/planner/task/task_machine.h"

namespace da::planner {

// Who carries out an allowed step.
enum class Actor { kActuator, kPlanner };

// The verdict's event, followed by the outcome's if the actuator carried the step out.
std::vector<Event> events_of(const v1::SubmitReply& reply, const v1::Step& step, Actor actor);

// The event for a call that failed although the task was not cancelled. kServiceLost if the service is gone (a service
// that stops cancels its calls); `fallback` if the service answered with an error.
Event event_of(const Error& error, const std::string& service, EventKind fallback);

}  // namespace da::planner
