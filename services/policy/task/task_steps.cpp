#include "services/policy/task/task_steps.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/repetition.h"

namespace da::policy {
namespace {

constexpr std::size_t kReasonCharacters = 200;

Error task_closed() { return {Code::kFailedPrecondition, "the task has been closed"}; }

}  // namespace

Result<TaskUse::Admission> TaskSteps::count_submission(MonoTime now) {
  const std::lock_guard hold(mutex_);
  if (closed_) return task_closed();
  return use_.submit(now);
}

Milliseconds TaskSteps::time_left(MonoTime now) const {
  const std::lock_guard hold(mutex_);
  return closed_ ? Milliseconds(0) : std::max(Milliseconds(0), use_.time_left(now));
}

Result<std::optional<v1::Outcome>> TaskSteps::recorded(const std::string& step_id,
                                                       const std::string& action_digest) const {
  if (closed_) return task_closed();
  const auto granted = granted_.find(step_id);
  if (granted == granted_.end()) return std::optional<v1::Outcome>();
  const std::string shown = "step \"" + escape_foreign(step_id, 60) + "\"";
  if (granted->second.action_digest != action_digest) {
    return Error{Code::kFailedPrecondition, shown + " was granted for another action; each step needs its own id"};
  }
  if (!granted->second.outcome) return Error{Code::kAborted, shown + " is already being carried out"};
  return granted->second.outcome;
}

Result<std::optional<v1::Outcome>> TaskSteps::recall(const std::string& step_id,
                                                     const std::string& action_digest) const {
  const std::lock_guard hold(mutex_);
  return recorded(step_id, action_digest);
}

Result<std::optional<v1::Outcome>> TaskSteps::claim(const v1::Step& step, const std::string& action_digest,
                                                    MonoTime now) {
  const std::lock_guard hold(mutex_);
  ASSIGN_OR_RETURN(auto outcome, recorded(step.step_id(), action_digest));
  if (outcome) return outcome;
  RETURN_IF_ERROR(use_.act(step.action(), now));
  granted_[step.step_id()] = Granted{action_digest, std::nullopt};
  return outcome;
}

void TaskSteps::settle(const std::string& step_id, const v1::Outcome& outcome, const std::string& action_text) {
  const std::lock_guard hold(mutex_);
  if (contract::was_begun(outcome)) {
    granted_[step_id].outcome = outcome;
    const bool awaited_by_planner = outcome.kind() == v1::Outcome::KIND_DISPATCHED && outcome.tool() == "launch";
    if (outcome.kind() == v1::Outcome::KIND_CONFIRMED || awaited_by_planner) return;
    const std::string why =
        outcome.message().empty() ? "" : " (" + escape_foreign(outcome.message(), kReasonCharacters) + ")";
    ++unproven_;
    last_unproven_ = action_text + why;
  } else {
    granted_.erase(step_id);
  }
}

void TaskSteps::tell_unproven(v1::ApprovalRequest& question) const {
  const std::lock_guard hold(mutex_);
  question.set_unproven_steps(unproven_);
  question.set_last_unproven(last_unproven_);
}

void TaskSteps::close() {
  const std::lock_guard hold(mutex_);
  closed_ = true;
}

}  // namespace da::policy
