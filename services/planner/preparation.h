// Holds the data from which a proposer's folder prepares a task. Any thread.
#pragma once

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/clock.h"
#include "services/planner/model/opened_models.h"
#include "services/planner/task/prepared_task.h"
#include "services/planner/task/task_cancel.h"

namespace da::planner {

// The data from which a proposer's folder prepares a task. `cancel` and `clock` outlive the task.
struct Preparation {
  const v1::StartTaskRequest& request;
  const Clock& clock;
  TaskCancel& cancel;
  model::OpenedModels& models;
};

}  // namespace da::planner
