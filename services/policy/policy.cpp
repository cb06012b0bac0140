#include "services/policy/policy.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "lib/base/text.h"

namespace da::policy {
namespace {

// A halted actuator stops between two chunks of input; this leaves it time to say how far it came.
constexpr Milliseconds kLongestHaltWait{10'000};
constexpr Milliseconds kHaltGrace{500};

Error unrecorded(const Error& error) { return {Code::kUnavailable, AuditTrail::denial(error)}; }

}  // namespace

Policy::Policy(Setup setup, Actuator& actuator, bus::Publisher& bus, const Clock& clock)
    : rules_(std::move(setup.rules)),
      signer_(std::move(setup.signer)),
      halt_(std::move(setup.halt)),
      desktop_id_(std::move(setup.desktop_id)),
      audit_log_(std::move(setup.audit)),
      audit_(*audit_log_),
      actuator_(actuator),
      bus_(bus),
      clock_(clock),
      write_lock_(clock),
      approvals_(clock),
      broker_({.rules = rules_,
               .signer = signer_,
               .clock = clock_,
               .desktop_id = desktop_id_,
               .actuator = actuator_,
               .bus = bus_,
               .tasks = tasks_,
               .write_lock = write_lock_,
               .approvals = approvals_,
               .halt = halt_,
               .running = running_,
               .typing = typing_,
               .audit = audit_}),
      lock_watch_([this](std::stop_token stop) {
        while (write_lock_.wait_until_run_out(stop)) {
          audit_.write_lock_closed("", lock_changed().state().by());
        }
      }) {}

Policy::~Policy() { shut_down(); }

Result<v1::OpenTaskReply> Policy::open_task(const v1::OpenTaskRequest& request) {
  const Milliseconds expiry =
      request.approval_expiry_ms() == 0 ? kDefaultApprovalExpiry : Milliseconds(request.approval_expiry_ms());
  const auto opened = tasks_.open(request.goal(), request.opened_by(), expiry);
  if (const auto recorded = audit_.task_opened(opened.task.task_id, request); !recorded) {
    static_cast<void>(tasks_.close(opened.token).has_value());
    return unrecorded(recorded.error());
  }
  if (request.unlock_writes()) {
    write_lock_.unlock_for_task(opened.task.task_id, request.opened_by());
    publish_task_lock(opened.task.task_id, true, request.opened_by());
  }
  v1::OpenTaskReply reply;
  reply.set_task_id(opened.task.task_id);
  reply.set_task_token(opened.token);
  return reply;
}

Result<v1::CloseTaskReply> Policy::close_task(const v1::CloseTaskRequest& request) {
  ASSIGN_OR_RETURN(const auto task, tasks_.close(request.task_token()));
  approvals_.withdraw_task(task.task_id, "the task ended");
  typing_.forget(task.task_id);
  audit_.task_closed(task.task_id, "CloseTask");
  if (write_lock_.end_task(task.task_id)) publish_task_lock(task.task_id, false, "the end of the task");
  return v1::CloseTaskReply();
}

Result<v1::SubmitReply> Policy::submit(const v1::SubmitRequest& request, std::stop_token stop) {
  return broker_.submit(request, std::move(stop));
}

Result<v1::AnswerReply> Policy::approve(const v1::ApproveRequest& request) {
  if (const auto recorded = audit_.answer(request); !recorded) return unrecorded(recorded.error());
  RETURN_IF_ERROR(approvals_.approve(request.approval_id(), request.approver()));
  return v1::AnswerReply();
}

Result<v1::AnswerReply> Policy::deny(const v1::DenyRequest& request) {
  // A denial holds, on record or not.
  if (const auto recorded = audit_.answer(request); !recorded) spdlog::error("{}", recorded.error().message);
  RETURN_IF_ERROR(approvals_.deny(request.approval_id(), request.approver(), request.reason()));
  return v1::AnswerReply();
}

v1::ListPendingReply Policy::list_pending() const {
  v1::ListPendingReply reply;
  for (auto& question : approvals_.pending()) *reply.add_pending() = std::move(question);
  return reply;
}

Result<v1::LockReply> Policy::unlock(const v1::UnlockRequest& request) {
  const auto recorded = audit_.write_lock_opens("", request.by(), request.for_ms(), request.for_steps());
  if (!recorded) return unrecorded(recorded.error());
  write_lock_.unlock(Milliseconds(request.for_ms()), request.by());
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

Result<v1::HaltReply> Policy::halt(const v1::HaltRequest& request) {
  const auto latched = halt_.engage({request.reason(), request.by()}, clock_);
  approvals_.withdraw_all("halted: " + request.reason());
  publish_halt(true, request.reason(), request.by());
  v1::HaltReply reply;
  reply.set_actuator(halt_actuator(request.reason()));
  audit_.halted(request.reason(), request.by());  // Last: no disk may stand between a person and the stop.
  if (!latched) {
    return Error{Code::kInternal, "halted, but a restart would not remember it: " + latched.error().message};
  }
  return reply;
}

std::string Policy::halt_actuator(const std::string& reason) {
  const auto told = actuator_.halt(reason);
  if (told) running_.wait_until_none(kHaltGrace);
  running_.stop_all();
  return told ? "halted" : told.error().message;
}

Result<v1::AwaitHaltReply> Policy::await_halt(const v1::AwaitHaltRequest& request, const std::stop_token& stop) const {
  RETURN_IF_ERROR(tasks_.find(request.task_token()));
  const auto max_wait = std::min(Milliseconds(request.max_wait_ms()), kLongestHaltWait);
  const auto halted = halt_.wait_engaged(max_wait, stop);
  v1::AwaitHaltReply reply;
  reply.set_halted(halted.has_value());
  if (halted) reply.set_reason(halted->reason);
  return reply;
}

Result<v1::ResumeReply> Policy::resume(const v1::ResumeRequest& request) {
  if (const auto recorded = audit_.resumes(request.by()); !recorded) {
    return Error{Code::kUnavailable, "still halted: " + AuditTrail::denial(recorded.error())};
  }
  if (const auto told = actuator_.resume(); !told) {
    return Error{told.error().code, "still halted, because da-actuator could not be resumed: " + told.error().message};
  }
  RETURN_IF_ERROR(halt_.release());
  publish_halt(false, "resumed", request.by());
  return v1::ResumeReply();
}

void Policy::publish_halt(bool halted, const std::string& reason, const std::string& by) {
  v1::PolicyHalt fact;
  fact.set_halted(halted);
  fact.set_reason(reason);
  fact.set_by(by);
  bus_.publish(fact, "", "");
}

Result<void> Policy::reload_rules() {
  auto reloaded = rules_.reload();
  const auto in_force = rules_.current();
  audit_.rules(in_force->file(), in_force->version(), reloaded ? "" : reloaded.error().message);
  return reloaded;
}

std::vector<std::pair<std::string, std::string>> Policy::properties() const {
  const auto halted = halt_.engaged();
  const auto rules = rules_.current();
  const std::string problem = rules_.problem();
  return {{"write lock", write_lock_.describe()},
          {"halted", halted ? "yes: " + escape_foreign(halted->reason) + ", by " + escape_foreign(halted->by) : "no"},
          {"pending approvals", std::to_string(approvals_.pending().size())},
          {"open tasks", std::to_string(tasks_.count())},
          {"rules", rules->file() + " (" + std::to_string(rules->all().size()) + " rules)"},
          {"rules version", rules->version()},
          {"rule file", problem.empty() ? "in force" : "NOT in force, the rules before it are: " + problem},
          {"audit log", audit_.describe()}};
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
