// Carries out one task: performs the effects of the task machine with proposer, observer and policy, and publishes each
// state, plan and answer. run() blocks until the task has ended; only the task's thread calls. Another thread may stop
// the task through its TaskCancel. All references must outlive the runner.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/task.pb.h"
#include "lib/bus/publisher.h"
#include "services/planner/proposer.h"
#include "services/planner/roles.h"
#include "services/planner/task/proof_tally.h"
#include "services/planner/task/questions.h"
#include "services/planner/task/task_machine.h"
#include "services/planner/task/task_view.h"

namespace da::planner {

struct TaskIdentity {
  std::string task_id;
  std::string task_token;  // Secret: only the policy may get it.
};

// What becomes of a part whose effect was not proven.
enum class Unproven { kIsTold, kFailsTheTask };

// Called with each new state, and its description for people. On the task's thread.
using OnState = std::function<void(v1::TaskState state, const std::string& detail)>;

class TaskRunner {
 public:
  TaskRunner(TaskIdentity identity, Proposer& proposer, Policy& policy, TaskView& view, Questions& questions,
             bus::Publisher& bus, Limits limits, OnState on_state, Milliseconds step_pause = Milliseconds(0),
             Unproven unproven = Unproven::kIsTold);

  // Closes the task at the policy at the end. The caller publishes the last fact, TaskEnded.
  v1::TaskResult run();

 private:
  void apply(const Event& event);
  void perform(Effect effect);
  Event observe();
  void take_image_of(const v1::Observation& observation);
  void picture_the_end();
  Event decide(Attempt attempt);
  void pause_between_steps();
  std::vector<Event> submit();
  Event after_lost_policy(const Error& error) const;
  Event after_lost_submit(const Error& error);
  Event answer();
  Event verify();
  Event count(Proof proof);
  void publish_failure(v1::PartFailed::Stage stage, const std::string& reason, const std::string& step_id);
  Event await_resume();
  // ended(): cancelled, halted or out of time. stopped(): the same, or held.
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
  TaskView& view_;
  Questions& questions_;
  bus::Publisher& bus_;
  const OnState on_state_;
  const Milliseconds step_pause_;  // The shortest time between two steps.
  std::optional<MonoTime> last_step_end_;

  Machine machine_;
  std::vector<Effect> due_;
  v1::Observation latest_;
  std::string last_image_hash_;
  bool pictured_ = false;       // The newest observation has an image.
  bool step_in_doubt_ = false;  // The policy was lost during a step: its outcome is unknown.
  v1::Plan plan_;
  Part part_;  // The part of the goal that the state belongs to.
  Event last_outcome_{EventKind::kDispatched, {}};
  const Unproven unproven_;
  ProofTally tally_;
};

void set_part(v1::TaskStateChanged& fact, const Part& part);

// Gives the plan and its steps new ids.
void identify(v1::Plan& plan);

}  // namespace da::planner
