#include "services/policy/policy.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <condition_variable>

#include "lib/base/text.h"
#include "lib/contract/json/parse.h"
#include "lib/os/fault_point/fault_point.h"
#include "lib/service/version.h"
#include "services/policy/approval/rule_proposal.h"

namespace da::policy {
namespace {

constexpr Milliseconds kLongestWait{10'000};  // Limit for await_halt() and await_resume().
// After this long a write to the audit log counts as hanging, and heartbeats stop.
constexpr Milliseconds kAuditTimeout{1'000};
constexpr std::size_t kMaxStepIdBytes = 100;
// The largest honest step pastes 200,000 characters. Several questions must fit into one reply.
constexpr std::size_t kMaxStepBytes = 900'000;
constexpr std::size_t kMaxJustificationBytes = 8'000;
constexpr char kRecorder[] = "da-recorder";
Result<void> check_sizes(const v1::Step& step) {
  if (step.step_id().empty() || step.step_id().size() > kMaxStepIdBytes) {
    return Error{Code::kInvalidArgument,
                 "a step needs an id of 1 to " + std::to_string(kMaxStepIdBytes) + " bytes, unique in its task"};
  }
  if (step.justification().size() > kMaxJustificationBytes || step.ByteSizeLong() > kMaxStepBytes) {
    return Error{Code::kInvalidArgument, "the step is too large: at most " + std::to_string(kMaxStepBytes) +
                                             " bytes, " + std::to_string(kMaxJustificationBytes) +
                                             " of them its justification"};
  }
  return ok();
}

// Takes each lock of the task that a grant takes.
void take_locks(TaskRecord& task, const Rules& rules, MonoTime now) {
  static_cast<void>(task.steps.time_left(now));
  static_cast<void>(task.repetitions.earlier(0, rules));
  static_cast<void>(task.typing.before(v1::Evidence()));
  static_cast<void>(task.standing.approver_of(v1::Action(), v1::Evidence(), ""));
}

Error unrecorded(const Error& error) { return {Code::kUnavailable, AuditTrail::denial(error)}; }

}  // namespace

Policy::Policy(Setup setup, Actuator& actuator, bus::Publisher& bus, const Clock& clock)
    : rules_(setup.rules, AcceptedRules(setup.state_directory, setup.rules.file())),
      signer_(std::move(setup.signer)),
      desktop_id_(std::move(setup.desktop_id)),
      state_directory_(std::move(setup.state_directory)),
      audit_log_(std::move(setup.audit)),
      audit_(*audit_log_),
      actuator_(actuator),
      bus_(bus),
      clock_(clock),
      tasks_(clock),
      write_lock_(clock),
      approvals_(clock, setup.approval_rules),
      second_factor_(std::move(setup.second_factor_directory), clock),
      notifier_(std::move(setup.notify)),
      stopping_(std::move(setup.stops),
                {.actuator = actuator_,
                 .approvals = approvals_,
                 .running = running_,
                 .audit = audit_,
                 .bus = bus_,
                 .clock = clock_},
                [this] { heartbeat_.ignore_replies_in_flight(); }),
      heartbeat_(
          actuator, [this](const std::stop_token& stop) { return can_grant(stop); },
          [this] {
            v1::HeartbeatRequest request = tasks_.heartbeat();
            for (std::string& challenge : approvals_.challenges()) request.add_waiting_challenges(std::move(challenge));
            return request;
          },
          [this](const v1::HeartbeatReply& reply) { stopping_.take_over(reply); }),
      recording_(setup.recording_required, clock),
      context_{.rules = rules_,
               .signer = signer_,
               .clock = clock_,
               .desktop_id = desktop_id_,
               .actuator = actuator_,
               .bus = bus_,
               .write_lock = write_lock_,
               .approvals = approvals_,
               .stops = stopping_.state(),
               .heartbeat = heartbeat_,
               .running = running_,
               .second_factor = second_factor_,
               .notifier = notifier_,
               .audit = audit_,
               .recording = recording_},
      lock_watch_([this](std::stop_token stop) {
        while (write_lock_.wait_until_run_out(stop)) {
          audit_.write_lock_closed("", lock_changed().state().by());
        }
      }),
      recording_watch_([this](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock hold(mutex);
        while (!stopped.wait_for(hold, stop, RecordingLease::kPassEvery, [&] { return stop.stop_requested(); })) {
          halt_if_not_recorded();
        }
      }) {}

Policy::~Policy() { shut_down(); }

Result<v1::OpenTaskReply> Policy::open_task(const v1::OpenTaskRequest& request) {
  const Milliseconds expiry =
      request.approval_expiry_ms() == 0 ? kDefaultApprovalExpiry : Milliseconds(request.approval_expiry_ms());
  for (const auto& expired : tasks_.make_room()) end_task(*expired, "its time was over");
  ASSIGN_OR_RETURN(
      const auto opened,
      tasks_.open({.goal = request.goal(),
                   .opened_by = request.opened_by(),
                   .approval_expiry = expiry,
                   .planner = request.planner(),
                   .allowed_tools = {request.allowed_tools().begin(), request.allowed_tools().end()},
                   .dry_run = request.dry_run(),
                   .limits = Limits::from(request.limits()),
                   .write_lock = request.unlock_writes() ? write_lock_.unlock_for_task() : WriteLock::TaskOpening(),
                   .rules = rules_.current()}));
  const std::string& task_id = opened.task->terms.task_id;
  if (const auto recorded = audit_.task_opened(task_id, request); !recorded) {
    tasks_.close_by_id(task_id);
    return unrecorded(recorded.error());
  }
  v1::TaskOpened fact;
  *fact.mutable_request() = request;
  *fact.mutable_state() = state(*opened.task);
  bus_.publish(fact, task_id, task_id);
  publish_rule_file(task_id);
  // A person who follows the task learns that the changed file does not hold for it.
  if (v1::RulesState rules = rules_state(); !rules.unaccepted_version().empty()) {
    bus_.publish(rules, task_id, task_id);
  }
  if (const auto begun = recording_.await_begun(task_id); !begun) {
    tasks_.close_by_id(task_id);
    end_task(*opened.task, "it cannot be recorded");
    return Error{begun.error().code, "the task is not opened, because it cannot be recorded: " + begun.error().message};
  }
  if (request.unlock_writes()) publish_task_lock(task_id, true, request.opened_by());
  heartbeat_.ask({});
  v1::OpenTaskReply reply;
  reply.set_task_id(task_id);
  reply.set_task_token(opened.token);
  return reply;
}

Result<v1::CloseTaskReply> Policy::close_task(const v1::CloseTaskRequest& request) {
  ASSIGN_OR_RETURN(const auto task, tasks_.close(request.task_token()));
  end_task(*task, "the task ended");
  return v1::CloseTaskReply();
}

v1::PolicyState Policy::state(const TaskRecord& task) const {
  const auto rules = rules_.current();
  v1::PolicyState state;
  state.set_rules_file(rules->file());
  state.set_rules_version(rules->version());
  state.set_rules_problem(rules_.problem());
  state.set_write_lock_open(write_lock_.view(task.terms.write_lock) == WriteLockView::kOpen);
  state.set_halt(service::in_status(stopping_.state().halted()));
  if (const auto paused = stopping_.state().paused()) *state.mutable_pause() = service::to_proto(*paused);
  const auto enrolled = second_factor_.enrolled();
  state.set_second_factor_enrolled(!enrolled || *enrolled);
  state.set_version(service::kVersion);
  return state;
}

void Policy::end_task(const TaskRecord& task, const std::string& reason) {
  const std::string& task_id = task.terms.task_id;
  approvals_.withdraw_task(task_id, reason);
  audit_.task_closed(task_id, reason);
  recording_.forget(task_id);
  if (write_lock_.is_open_for(task.terms.write_lock)) publish_task_lock(task_id, false, "the end of the task");
  v1::TaskClosed fact;
  fact.set_reason(reason);
  bus_.publish(fact, task_id, task_id);
}

v1::RulesState Policy::rules_state() const {
  const auto rules = rules_.current();
  v1::RulesState state;
  state.set_file(rules->file());
  state.set_version(rules->version());
  state.set_problem(rules_.problem());
  state.set_unaccepted_version(rules_.unaccepted_version());
  return state;
}

void Policy::publish_rule_file(const std::string& task_id) {
  const auto rules = rules_.current();
  v1::RuleFile fact;
  fact.set_version(rules->version());
  fact.set_toml(rules->toml());
  bus_.publish(fact, task_id, task_id);
}

v1::RenewRecordingReply Policy::renew_recording(const v1::RenewRecordingRequest& request) {
  recording_.renew(request);
  v1::RenewRecordingReply reply;
  for (const auto& task : tasks_.all()) reply.add_open_task_ids(task->terms.task_id);
  return reply;
}

void Policy::halt_if_not_recorded() {
  recording_.pass();
  const auto why = recording_.lost();
  if (!why || stopping_.state().halted()) return;
  const std::string reason = "the task is not recorded any more: " + *why;
  spdlog::error("halted: {}", reason);
  stopping_.halt_by(kRecorder, reason);
}

Result<v1::SubmitReply> Policy::submit(const v1::SubmitRequest& request, std::stop_token stop) {
  ASSIGN_OR_RETURN(const auto task, tasks_.find(request.task_token()));
  RETURN_IF_ERROR(check_sizes(request.step()));
  DA_FAULT_POINT("policy.on_submit");
  ASSIGN_OR_RETURN(const auto admission, task->steps.count_submission(clock_.now()));
  Submission submission(context_, task, request, std::move(stop));
  if (admission == TaskUse::Admission::kReject) return submission.too_many();
  const bool accepted = admission == TaskUse::Admission::kAccepted;
  Result<v1::SubmitReply> reply = accepted ? submission.run() : submission.deny_as_too_many();
  if (reply && reply->has_outcome() && !submission.off_record()) {
    audit_.outcome(task->terms.task_id, reply->outcome());
    if (!submission.actuator_answered()) publish_outcome(task->terms.task_id, reply->outcome());
  }
  DA_FAULT_POINT("policy.before_reply");
  return reply;
}

void Policy::publish_outcome(const std::string& task_id, const v1::Outcome& outcome) {
  v1::PolicyOutcome fact;
  *fact.mutable_outcome() = outcome;
  bus_.publish(fact, task_id, outcome.step_id());
}

Result<v1::AnswerReply> Policy::approve(const v1::ApproveRequest& request) {
  // Recorded first, so that late answers and wrong codes are recorded too.
  if (const auto recorded = audit_.answer(request); !recorded) return unrecorded(recorded.error());
  ASSIGN_OR_RETURN(const auto question,
                   approvals_.approvable(request.approval_id(), request.approver(), request.repeats_in_task()));
  bool demanded = question.second_factor();
  if (!demanded && question.risk() == v1::RISK_CRITICAL) {
    ASSIGN_OR_RETURN(demanded, second_factor_.enrolled());  // May have changed since the question.
  }
  // The last check, because it uses up the code.
  if (demanded) RETURN_IF_ERROR(second_factor_.check(request.approver(), request.code()));
  ASSIGN_OR_RETURN(const auto missing,
                   approvals_.approve(request.approval_id(), request.approver(), request.repeats_in_task()));
  v1::AnswerReply reply;
  reply.set_approvals_missing(missing);
  if (!request.propose_rule()) return reply;
  const auto file = state_directory_ / "proposed-rules.toml";
  const auto proposed = append_proposal(file, proposed_rule(question, request.approver(), clock_.wall_now()));
  if (!proposed) {
    return Error{proposed.error().code, "approved, but no rule could be proposed: " + proposed.error().message};
  }
  reply.set_proposed_rule_file(file.string());
  return reply;
}

Result<v1::AnswerReply> Policy::deny(const v1::DenyRequest& request) {
  // A denial takes effect even if it cannot be recorded.
  if (const auto recorded = audit_.answer(request); !recorded) spdlog::error("{}", recorded.error().message);
  ASSIGN_OR_RETURN(const std::string task_id,
                   approvals_.deny(request.approval_id(), request.approver(), request.reason(), request.then()));
  if (request.then() == v1::DenyRequest::THEN_STOP_TASK) {
    if (const auto task = tasks_.close_by_id(task_id)) end_task(*task, "the task was stopped by " + request.approver());
  }
  return v1::AnswerReply();
}

Result<v1::AnswerReply> Policy::edit(const v1::EditRequest& request) {
  RETURN_IF_ERROR(contract::validate(request.action()));
  if (const auto recorded = audit_.answer(request); !recorded) return unrecorded(recorded.error());
  RETURN_IF_ERROR(approvals_.edit(request.approval_id(), request.approver(), request.action()));
  return v1::AnswerReply();
}

Result<v1::ListPendingReply> Policy::list_pending(const v1::ListPendingRequest& request) const {
  return approvals_.page(request.after());
}

Result<v1::LockReply> Policy::unlock(const v1::UnlockRequest& request) {
  const auto recorded = audit_.write_lock_opens("", request.by(), request.for_ms(), request.for_steps());
  if (!recorded) return unrecorded(recorded.error());
  write_lock_.unlock(Milliseconds(request.for_ms()), request.for_steps(), request.by());
  return lock_changed();
}

v1::LockReply Policy::lock(const v1::LockRequest& request) {
  write_lock_.lock(request.by());
  audit_.write_lock_closed("", request.by());
  return lock_changed();
}

v1::LockReply Policy::lock_changed() {
  v1::LockReply reply;
  *reply.mutable_state() = write_lock_.state();
  bus_.publish(*reply.mutable_state(), "", "");
  return reply;
}

void Policy::publish_task_lock(const std::string& task_id, bool open, const std::string& by) {
  v1::WriteLockState state;
  state.set_open(open);
  state.set_by(by);
  bus_.publish(state, task_id, task_id);
}

Result<v1::AwaitHaltReply> Policy::await_halt(const v1::AwaitHaltRequest& request, const std::stop_token& stop) const {
  RETURN_IF_ERROR(tasks_.find(request.task_token()));
  const auto max_wait = std::min(Milliseconds(request.max_wait_ms()), kLongestWait);
  const auto halted = stopping_.state().wait_halted(max_wait, stop);
  v1::AwaitHaltReply reply;
  reply.set_halted(halted.has_value());
  if (halted) reply.set_reason(halted->reason);
  return reply;
}

Result<v1::AwaitResumeReply> Policy::await_resume(const v1::AwaitResumeRequest& request,
                                                  const std::stop_token& stop) const {
  RETURN_IF_ERROR(tasks_.find(request.task_token()));
  const auto max_wait = std::min(Milliseconds(request.max_wait_ms()), kLongestWait);
  const auto paused = stopping_.state().wait_not_paused(max_wait, stop);
  v1::AwaitResumeReply reply;
  if (paused) *reply.mutable_pause() = service::to_proto(*paused);
  return reply;
}

Result<void> Policy::can_grant(const std::stop_token& stop) {
  const auto rules = rules_.current();
  for (const auto& task : tasks_.all()) take_locks(*task, *rules, clock_.now());
  static_cast<void>(write_lock_.view({}));
  static_cast<void>(approvals_.room_for("").has_value());
  { const RunningSteps::Scope scope(running_, stop); }
  return audit_log_->check(kAuditTimeout);
}

Result<Policy::Reload> Policy::reload_rules() {
  const std::string before = rules_.problem();
  const std::string version = rules_.current()->version();
  const std::string unaccepted = rules_.unaccepted_version();
  const auto reloaded = rules_.reload();
  const auto in_force = rules_.current();
  if (!reloaded && rules_.problem() == before) return reloaded.error();
  const bool same_rules = in_force->version() == version;
  if (reloaded && before.empty() && same_rules && rules_.unaccepted_version() == unaccepted) return Reload::kUnchanged;
  v1::RulesState fact = rules_state();
  audit_.rules(fact);
  bus_.publish(fact, "", "");
  if (!reloaded) return reloaded.error();
  if (!fact.unaccepted_version().empty()) return Reload::kUnaccepted;
  publish_rule_file("");
  return Reload::kChanged;
}

void Policy::shut_down() {
  approvals_.shut_down();
  running_.stop_all();
}

void Policy::wake() {
  approvals_.wake();
  write_lock_.wake();
}

}  // namespace da::policy
