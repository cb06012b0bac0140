// Shows what a goal would do: each step is proposed and judged, none is carried out. There is no way from here to an
// action, because every submission is marked as a dry run. One thread, the task's.
#pragma once

#include <functional>

#include "da/v1/task.pb.h"
#include "lib/bus/publisher.h"
#include "services/planner/proposer.h"
#include "services/planner/roles.h"
#include "services/planner/sight.h"
#include "services/planner/task_runner.h"

namespace da::planner {

// Whether there is more to propose when nothing of a plan was carried out: a model would propose the same again.
enum class Plans { kUntilDone, kFirst };

// The result is TASK_END_DENIED where the policy would deny a step, and counts no steps as carried out. A step whose
// target does not show yet is published, and not judged.
v1::TaskResult dry_run(const TaskIdentity& identity, Proposer& proposer, Policy& policy, Sight& sight,
                       bus::Publisher& bus, Plans plans, const OnState& on_state);

}  // namespace da::planner
