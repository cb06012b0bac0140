// Carries out one task: performs the effects of the task machine with the proposer, the observer and the policy, and
// publishes each state, plan and answer. Blocks until the task has ended; one thread, the task's. Another thread may
// stop it through the task's TaskCancel. Everything referred to must outlive the runner.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "da/v1/task.pb.h"
#include "lib/bus/publisher.h"
#include "services/planner/proposer.h"
#include "services/planner/questions.h"
#include "services/planner/roles.h"
#include "services/planner/sight.h"
#include "services/planner/task_machine.h"

namespace da::planner {

struct TaskIdentity {
  std::string task_id;
  std::string task_token;  // Secret: goes to the policy alone.
};

// Told of each state, and of what is done in it, for people. On the thread of the task.
using OnState = std::function<void(v1::TaskState state, const std::string& detail)>;

class TaskRunner {
 public:
  TaskRunner(TaskIdentity identity, Proposer& proposer, Policy& policy, Sight& sight, Questions& questions,
             bus::Publisher& bus, Limits limits, OnState on_state);

  // Gives up the task's authority at the end. The last fact, TaskEnded, is the caller's to publish.
  v1::TaskResult run();

 private:
  void apply(const Event& event);
  void perform(Effect effect);
  Event observe();
  void take_image_of(const v1::Observation& observation);
  void picture_the_end();
  Event decide(Attempt attempt);
  std::vector<Event> submit();
  Event after_lost_policy(const Error& error) const;
  Event after_lost_submit(const Error& error);
  Event answer();
  Event verify();
  Event await_resume();
  // Cancelled, halted, or out of time; stopped() also where it is held.
  bool ended(Event& event) const;
  bool stopped(Event& event) const;
  Event failure(const Error& error, const std::string& service, EventKind fallback) const;
  void publish_state();
  void note_part();
  std::string detail() const;
  const v1::Step& step() const { return plan_.steps(static_cast<int>(machine_.step)); }

  const TaskIdentity identity_;
  Proposer& proposer_;
  Policy& policy_;
  Sight& sight_;
  Questions& questions_;
  bus::Publisher& bus_;
  const OnState on_state_;

  Machine machine_;
  std::vector<Effect> due_;
  v1::Observation latest_;
  std::string last_image_hash_;
  bool pictured_ = false;       // The newest observation has an image.
  bool step_in_doubt_ = false;  // The policy was lost while it had a step to carry out.
  v1::Plan plan_;
  Part part_;  // That the state is about.
  EventKind last_outcome_ = EventKind::kDispatched;
};

void set_part(v1::TaskStateChanged& fact, const Part& part);

// Ids for a plan and its steps.
void identify(v1::Plan& plan);

}  // namespace da::planner
