#include "services/planner/commands/command_proposer.h"

#include <utility>

#include "lib/base/text.h"
#include "services/planner/tools/described_target.h"
#include "services/planner/tools/element_query.h"
#include "services/planner/tools/field_focus.h"

namespace da::planner {
namespace {

constexpr std::size_t kShownOfId = 60;

v1::CommandAnswer answer_of(v1::CommandAnswer::Result result, std::string message) {
  v1::CommandAnswer answer;
  answer.set_result(result);
  answer.set_message(std::move(message));
  return answer;
}

v1::CommandAnswer::Result result_of(EventKind kind) {
  switch (kind) {
    case EventKind::kDispatched: return v1::CommandAnswer::RESULT_DISPATCHED;
    case EventKind::kConfirmed: return v1::CommandAnswer::RESULT_CONFIRMED;
    case EventKind::kNoEffect: return v1::CommandAnswer::RESULT_NO_EFFECT;
    case EventKind::kSkipped: return v1::CommandAnswer::RESULT_SKIPPED;
    case EventKind::kDenied: return v1::CommandAnswer::RESULT_DENIED;
    case EventKind::kExpired: return v1::CommandAnswer::RESULT_EXPIRED;
    case EventKind::kStaleTarget: return v1::CommandAnswer::RESULT_STALE_TARGET;
    case EventKind::kRefused: return v1::CommandAnswer::RESULT_REFUSED;
    case EventKind::kFailed: return v1::CommandAnswer::RESULT_FAILED;
    case EventKind::kInterrupted: return v1::CommandAnswer::RESULT_INTERRUPTED;
    case EventKind::kPaused: return v1::CommandAnswer::RESULT_PAUSED;
    case EventKind::kHalted: return v1::CommandAnswer::RESULT_HALTED;
    case EventKind::kCancelled:
    case EventKind::kTimeLimit: return v1::CommandAnswer::RESULT_CANCELLED;
    case EventKind::kServiceLost: return v1::CommandAnswer::RESULT_SERVICE_LOST;
    default: return v1::CommandAnswer::RESULT_UNKNOWN;
  }
}

bool is_done(const v1::CommandAnswer& answer) {
  return answer.result() == v1::CommandAnswer::RESULT_DISPATCHED ||
         answer.result() == v1::CommandAnswer::RESULT_CONFIRMED;
}

v1::CommandAnswer::Result result_of(v1::TaskEnd end) {
  switch (end) {
    case v1::TASK_END_HALTED: return v1::CommandAnswer::RESULT_HALTED;
    case v1::TASK_END_SERVICE_LOST: return v1::CommandAnswer::RESULT_SERVICE_LOST;
    case v1::TASK_END_UNKNOWN_OUTCOME: return v1::CommandAnswer::RESULT_UNKNOWN;
    default: return v1::CommandAnswer::RESULT_CANCELLED;
  }
}

}  // namespace

void close(CommandInbox& inbox, const v1::TaskResult& result) {
  const auto later = answer_of(result_of(result.end()), "the task has ended: " + result.summary());
  // A task ends as done only after the last command.
  const bool done = result.end() == v1::TASK_END_DONE;
  inbox.close(done ? answer_of(v1::CommandAnswer::RESULT_CONFIRMED, result.summary()) : later, later);
}

// Proposes one step at a time, so that nothing of a command follows a step that failed or that a person skipped.
Result<v1::Plan> CommandProposer::decide(const v1::Observation& latest, Attempt) {
  acted_ = false;
  v1::Plan plan;
  plan.set_frame_id(latest.frame_id());
  for (;;) {
    while (pending_.empty()) {
      ASSIGN_OR_RETURN(const auto command, inbox_.next(view_.cancel().work(), view_.time_limit()));
      if (!command) {
        plan.set_done(std::to_string(carried_out_) + (carried_out_ == 1 ? " command was" : " commands were") +
                      " carried out");
        return plan;
      }
      const auto queued = queue_steps(*command);
      if (!queued && is_lost_or_cancelled(queued.error())) return queued.error();
      if (!queued) answer(answer_of(v1::CommandAnswer::RESULT_FAILED, queued.error().message));
    }
    if (!field_ || !pending_.front().action().has_write()) break;
    const auto focused = check_focus();
    if (focused) break;
    if (is_lost_or_cancelled(focused.error())) return focused.error();
    pending_.clear();
    answer(answer_of(v1::CommandAnswer::RESULT_FAILED, focused.error().message));
  }
  *plan.add_steps() = std::move(pending_.front());
  pending_.pop_front();
  name_clicked_elements(plan, latest, view_);
  return plan;
}

Result<void> CommandProposer::queue_steps(const Command& command) {
  v1::Step step;
  *step.mutable_action() = command.action;
  step.set_justification("command " + quote_foreign(command.id, kShownOfId) + " of a script");
  if (!is_described(command.action)) {
    pending_.push_back(std::move(step));
    return ok();
  }
  ASSIGN_OR_RETURN(const auto found, find_described(command.action, view_, kTargetWait));
  ASSIGN_OR_RETURN(const auto target, the_one_of(found, description_in(command.action), kTargetWait));
  field_.reset();
  if (command.action.has_type_in_described_field() && target.source() == v1::Candidate::SOURCE_UI_TREE) {
    field_ = target.node();
    field_name_ = description_in(command.action);
  }
  for (v1::Step& concrete : steps_on(step, target)) {
    if (concrete.action().has_mouse()) concrete.set_frame_id(found.frame_id());
    pending_.push_back(std::move(concrete));
  }
  return ok();
}

// A page may move the focus from the field that was clicked to another one.
Result<void> CommandProposer::check_focus() {
  ASSIGN_OR_RETURN(const FieldFocus focus, await_field_focus(view_, field_name_, *field_));
  field_.reset();
  if (focus.elsewhere.empty()) return ok();
  return Error{Code::kFailedPrecondition, describe_target(field_name_) + " did not get the keyboard focus, which " +
                                              focus.elsewhere + " has, so nothing was typed"};
}

void CommandProposer::hear(const v1::Step& step, const Event& event) {
  if (event.kind == EventKind::kAllowed) return;
  v1::CommandAnswer heard = answer_of(result_of(event.kind), event.text);
  const bool done = is_done(heard);
  acted_ = acted_ || !is_planner_tool(step.action());
  if (done && !pending_.empty()) {
    begun_ = true;
    return;
  }
  heard.set_code(event.code);
  if (seen_.elements) *heard.mutable_elements() = *std::move(seen_.elements);
  if (seen_.image) *heard.mutable_image() = *std::move(seen_.image);
  heard.mutable_windows()->Add(seen_.windows.begin(), seen_.windows.end());
  // Windows and elements say the same as the message.
  if (done && (heard.has_elements() || !heard.windows().empty())) heard.clear_message();
  answer(std::move(heard));
}

void CommandProposer::paused(const std::string& reason) {
  const auto paused = answer_of(v1::CommandAnswer::RESULT_PAUSED, "paused: " + reason);
  inbox_.pause(paused);
  answer(paused);
}

void CommandProposer::answer(v1::CommandAnswer answer) {
  field_.reset();
  if (begun_ && !is_done(answer)) {
    answer.set_begun(true);
    answer.set_message(answer.message() + "; the click before it was carried out");
  }
  if (is_done(answer)) ++carried_out_;
  pending_.clear();
  begun_ = false;
  seen_ = {};
  inbox_.answer(std::move(answer));
}

}  // namespace da::planner
