// The planner without its connections: the models, the proposers and the queue of tasks. Any thread. `services` must
// outlive it.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "services/planner/model/opened_models.h"
#include "services/planner/preparation.h"
#include "services/planner/roles.h"
#include "services/planner/task/questions.h"
#include "services/planner/task/task_queue.h"

namespace da::planner {

struct Services {
  Observer& observer;
  Policy& policy;
  bus::Publisher& bus;
  const Clock& clock;
  const model::Settings& models;
  model::Environment environment = model::process_environment();
  Milliseconds question_expiry = kDefaultQuestionExpiry;
};

// A way to decide a task's steps. A further one is a folder with a function like these, and a row in planner.cpp.
struct ProposerRow {
  std::string_view name;  // StartTaskRequest.planner; empty: every other name, which is a model's provider.
  // kInvalidArgument (goal, profile, planner), kFailedPrecondition (the planner is unusable).
  Result<std::unique_ptr<PreparedTask>> (*prepare)(const Preparation& preparation);
};
std::span<const ProposerRow> proposers();

class Planner {
 public:
  explicit Planner(const Services& services);

  // Which planner a task would get, and why. Errors of model::choose; kFailedPrecondition if it is unusable.
  Result<v1::ChoosePlannerReply> choose(const v1::ChoosePlannerRequest& request) { return models_.choose(request); }
  TaskQueue& tasks() { return tasks_; }

 private:
  model::OpenedModels models_;
  TaskQueue tasks_;  // Last: its thread uses the models.
};

}  // namespace da::planner
