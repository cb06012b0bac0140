#include "services/planner/task/dry_run.h"

#include <string>

#include "lib/base/text.h"
#include "lib/contract/named_action.h"
#include "services/planner/task/outcome_events.h"

namespace da::planner {
namespace {

constexpr Milliseconds kJudgeTimeout{10'000};  // Short: a dry run asks no person.

class DryRun {
 public:
  DryRun(const TaskIdentity& identity, Proposer& proposer, Policy& policy, TaskView& view, bus::Publisher& bus,
         Plans plans, const OnState& on_state)
      : identity_(identity),
        proposer_(proposer),
        policy_(policy),
        view_(view),
        bus_(bus),
        plans_(plans),
        on_state_(on_state) {}

  v1::TaskResult run() {
    const auto judged = judge_all();
    if (!judged) {
      const bool cancelled = view_.cancel().cancelled();
      finish(end_of(judged.error()),
             cancelled ? "cancelled: " + escape_foreign(view_.cancel().reason()) : judged.error().message);
    } else if (denied_ > 0) {
      finish(v1::TASK_END_DENIED, "dry run: " + std::to_string(denied_) + " of " + steps_in_words() +
                                      " would be denied" + unjudged_in_words() + "; nothing was executed");
    } else {
      finish(v1::TASK_END_DONE, "dry run: " + steps_in_words() + ", " + approvals_in_words() + questions_in_words() +
                                    unjudged_in_words() + "; nothing was executed");
    }
    v1::CloseTaskRequest request;
    request.set_task_token(identity_.task_token);
    [[maybe_unused]] const auto closed = policy_.close_task(request);
    return result_;
  }

 private:
  Result<void> judge_all() {
    enter(v1::TASK_STATE_OBSERVING, "looking at the desktop");
    const auto observation = view_.look(Picture::kUsual, kSettleWait);
    if (!observation) return named("observer", observation.error());
    result_.set_last_image_hash(observation->image_hash());
    while (true) {
      if (view_.cancel().cancelled()) return Error{Code::kCancelled, "cancelled"};
      if (view_.time_is_over()) return Error{Code::kAborted, "the time limit of the task is over"};
      part_ = proposer_.part(Attempt::kNext);
      enter(v1::TASK_STATE_DECIDING, "deciding what to do next");
      auto plan = proposer_.decide(*observation, Attempt::kNext);
      if (!plan) return named("observer", plan.error());
      identify(*plan);
      bus_.publish(*plan, identity_.task_id, plan->frame_id());
      if (plan->has_done()) return ok();
      if (proposer_.awaits_target()) {
        steps_ += plan->steps_size();
        unjudged_ += plan->steps_size();
        continue;
      }
      for (const v1::Step& step : plan->steps()) RETURN_IF_ERROR(judge(step));
      if (plans_ == Plans::kFirst && plan->steps_size() > 0) return ok();
    }
  }

  Result<void> judge(const v1::Step& step) {
    enter(v1::TASK_STATE_AUTHORIZING, "asking the policy about " + contract::describe(step));
    v1::SubmitRequest request;
    request.set_task_token(identity_.task_token);
    request.set_dry_run(true);
    *request.mutable_step() = step;
    const auto reply = policy_.submit(request, kJudgeTimeout, view_.cancel().submits());
    if (!reply) return named("policy", reply.error());
    ++steps_;
    switch (reply->verdict().decision()) {
      case v1::Verdict::DECISION_ALLOW: break;
      case v1::Verdict::DECISION_ASK: ++asked_; break;
      default: ++denied_; return ok();
    }
    if (step.action().has_ask_user()) ++questions_;
    return ok();
  }

  std::string steps_in_words() const { return std::to_string(steps_) + (steps_ == 1 ? " step" : " steps"); }

  std::string approvals_in_words() const {
    if (asked_ == 0) return steps_ == 1 ? "which needs no approval" : "none of which needs an approval";
    if (steps_ == 1) return "which would need an approval";
    return std::to_string(asked_) + " of them would need an approval";
  }

  static std::string in_words(int count, const char* one, const char* many) {
    return count == 0 ? "" : ", " + std::to_string(count) + (count == 1 ? one : many);
  }
  std::string questions_in_words() const {
    return in_words(questions_, " would ask you a question", " would ask you questions");
  }
  std::string unjudged_in_words() const {
    return in_words(unjudged_, " cannot be judged before its target shows",
                    " cannot be judged before their targets show");
  }

  static Error named(const std::string& service, const Error& error) {
    return {error.code, is_lost_or_cancelled(error) ? service + ": " + escape_foreign(error.message) : error.message};
  }

  v1::TaskEnd end_of(const Error& error) const {
    if (view_.cancel().cancelled()) return v1::TASK_END_CANCELLED;
    return is_lost_or_cancelled(error) ? v1::TASK_END_SERVICE_LOST : v1::TASK_END_FAILED;
  }

  void enter(v1::TaskState state, const std::string& detail) {
    v1::TaskStateChanged fact;
    set_part(fact, part_);
    fact.set_state(state);
    fact.set_detail(detail);
    bus_.publish(fact, identity_.task_id, {});
    on_state_(state, detail);
  }

  void finish(v1::TaskEnd end, const std::string& summary) {
    result_.set_task_id(identity_.task_id);
    result_.set_end(end);
    result_.set_summary(summary);
    enter(v1::TASK_STATE_TERMINATED, summary);
  }

  const TaskIdentity& identity_;
  Proposer& proposer_;
  Policy& policy_;
  TaskView& view_;
  bus::Publisher& bus_;
  const Plans plans_;
  const OnState& on_state_;
  v1::TaskResult result_;
  Part part_;
  int steps_ = 0;
  int asked_ = 0;
  int denied_ = 0;
  int questions_ = 0;  // Steps that would ask a person (ask_user).
  int unjudged_ = 0;
};

}  // namespace

v1::TaskResult dry_run(const TaskIdentity& identity, Proposer& proposer, Policy& policy, TaskView& view,
                       bus::Publisher& bus, Plans plans, const OnState& on_state) {
  return DryRun(identity, proposer, policy, view, bus, plans, on_state).run();
}

}  // namespace da::planner
