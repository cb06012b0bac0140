// Shows what a goal would do: each step is proposed and judged, but not carried out. Every submission is marked as a
// dry run, so no action can result. Only the task's thread calls.
#pragma once

#include <functional>

#include "da/v1/task.pb.h"
#include "lib/bus/publisher.h"
#include "services/planner/proposer.h"
#include "services/planner/roles.h"
#include "services/planner/task/task_runner.h"
#include "services/planner/task/task_view.h"

namespace da::planner {

// Which plans to ask for. A model would repeat its first plan, because nothing was carried out.
enum class Plans { kUntilDone, kFirst };

// Returns TASK_END_DENIED if the policy would deny a step; counts no steps as carried out. A step whose target is not
// on the screen yet is published, but not judged.
v1::TaskResult dry_run(const TaskIdentity& identity, Proposer& proposer, Policy& policy, TaskView& view,
                       bus::Publisher& bus, Plans plans, const OnState& on_state);

}  // namespace da::planner
