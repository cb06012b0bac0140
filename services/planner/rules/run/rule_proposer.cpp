#include "services/planner/rules/run/rule_proposer.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "lib/base/text.h"
#include "services/planner/rules/profile/rule_fields.h"

namespace da::planner::rules {
namespace {

constexpr int kMaxStale = 5;                // Stale steps of one rule in a row.
constexpr int kMaxPlanningRounds = 10'000;  // Rounds of questions to plan one action.

spdlog::level::level_enum log_level(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarning: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
    case LogLevel::kCritical: return spdlog::level::critical;
  }
  return spdlog::level::info;
}

}  // namespace

RuleProposer::RuleProposer(const LoadedProfile& loaded, RunOptions options, TaskView& view, ModelCalls& models,
                           bus::Publisher& bus)
    : loaded_(loaded),
      options_(std::move(options)),
      view_(view),
      bus_(bus),
      models_(models),
      progress_(loaded.profile, options_.dry_run ? RunProgress::Acts::kInDryRun : RunProgress::Acts::kReally),
      cycles_(loaded, view, models, progress_),
      facts_(loaded.profile.rules.size()) {
  if (options_.run_for > Milliseconds(0)) deadline_ = view.clock().now() + options_.run_for;
}

View RuleProposer::wanted_view() const {
  if (acting_ && acting_->task) return View::kSettledScreen;
  return acting_ && acting_->has_touched ? View::kSettledApplication : View::kState;
}

Result<v1::Plan> RuleProposer::decide(const v1::Observation& latest, Attempt attempt) {
  const bool of_task = acting_ && acting_->task;  // Its model decides again, and the rule is not evaluated again.
  if (attempt == Attempt::kAgain && !of_task) look_again();
  while (true) {
    ASSIGN_OR_RETURN(auto plan, next_plan(latest, std::exchange(attempt, Attempt::kNext)));
    if (fatal_) return *fatal_;
    if (plan) {
      if (options_.dry_run) part_is_done();
      return *std::move(plan);
    }
    if (is_over()) return end_of_run();
    if (!resume_at_) RETURN_IF_ERROR(cycles_.wait_for_next(deadline_));
    if (is_over()) return end_of_run();
    RETURN_IF_ERROR(run_cycle());
  }
}

// The rules' next step, or those of a model; nullopt if no rule acts any more in this cycle.
Result<std::optional<v1::Plan>> RuleProposer::next_plan(const v1::Observation& latest, Attempt attempt) {
  while (!fatal_) {
    if (!acting_) {
      if (decisions_.empty()) return std::optional<v1::Plan>();
      Decision next = std::move(decisions_.front());
      decisions_.pop_front();
      begin_rule(std::move(next));
    }
    if (acting_->action >= acting_->decision.actions.size()) {
      end_rule();
      continue;
    }
    if (!acting_->is_planned) RETURN_IF_ERROR(plan_again());
    if (!acting_) continue;
    const PlannedParts& parts = acting_->decision.actions[acting_->action];
    if (acting_->part >= parts.size()) {
      ++acting_->action;
      acting_->part = 0;
      acting_->is_planned = !acting_->has_touched && !acting_->has_asked;
      continue;
    }
    const PlannedPart& part = parts[acting_->part];
    if (const auto* step = std::get_if<v1::Step>(&part)) {
      v1::Plan plan;
      plan.set_frame_id(latest.frame_id());
      *plan.add_steps() = *step;
      return std::optional(std::move(plan));
    }
    if (const auto* line = std::get_if<LogLine>(&part)) {
      log(*line);
      part_is_done();
      continue;
    }
    ASSIGN_OR_RETURN(auto plan, next_of_task(std::get<TaskCall>(part), latest, std::exchange(attempt, Attempt::kNext)));
    if (plan) return plan;
  }
  return std::optional<v1::Plan>();
}

// The next steps of a model; nullopt if its task has ended.
Result<std::optional<v1::Plan>> RuleProposer::next_of_task(const TaskCall& call, const v1::Observation& latest,
                                                           Attempt attempt) {
  const std::size_t index = acting_->decision.rule;
  if (options_.dry_run) {
    tell(v1::RuleEvent::KIND_TASK, index, "would ask a model for " + describe_task(call));
    part_is_done();
    return std::optional<v1::Plan>();
  }
  if (!acting_->task) {
    tell(v1::RuleEvent::KIND_TASK, index, "asks a model for " + describe_task(call));
    acting_->has_asked = true;
    acting_->task = std::make_unique<RuleTask>(loaded_.profile, rule(index), call, models_, view_,
                                               [this, index](std::uint32_t step, const std::string& text) {
                                                 tell(v1::RuleEvent::KIND_TASK, index, text, {}, step);
                                               });
  }
  auto plan = acting_->task->next(latest, attempt);
  if (!plan && is_lost_or_cancelled(plan.error())) return plan.error();
  if (!plan) {
    if (!models_.budget().check()) {
      return Error{Code::kResourceExhausted, plan.error().message + "; " + progress_.summary()};
    }
    fail(index, plan.error().message);
    return std::optional<v1::Plan>();
  }
  if (!plan->has_done()) return std::optional(*std::move(plan));
  acting_->task.reset();
  part_is_done();
  return std::optional<v1::Plan>();
}

// Plans the current action for the present screen, with what the conditions captured.
Result<void> RuleProposer::plan_again() {
  ScreenWatch& watch = cycles_.watch();
  RETURN_IF_ERROR(watch.look());
  const Rule& acting = rule(acting_->decision.rule);
  const Findings findings{acting_->decision.variables, acting_->decision.last_match};
  for (int round = 0; round < kMaxPlanningRounds; ++round) {
    auto planned = plan_action(loaded_.profile, acting, acting.actions[acting_->action], findings, watch.analyses());
    if (auto* parts = std::get_if<PlannedParts>(&planned)) {
      acting_->decision.actions[acting_->action] = std::move(*parts);
      acting_->is_planned = true;
      return ok();
    }
    if (const auto* error = std::get_if<Error>(&planned)) {
      fail(acting_->decision.rule, error->message);
      return ok();
    }
    const auto answered = watch.answer({std::get<Question>(planned)}, ScreenWatch::Changes::kAccept);
    if (!answered) return answered.error();
  }
  fail(acting_->decision.rule, "its target could not be found: too many questions about the screen");
  return ok();
}

void RuleProposer::begin_rule(Decision decision) {
  tell(v1::RuleEvent::KIND_FIRES, decision.rule, to_text(decision.report));
  acting_.emplace(Acting{.decision = std::move(decision)});
}

void RuleProposer::end_rule() {
  const Acting ended = *std::exchange(acting_, std::nullopt);
  const std::size_t index = ended.decision.rule;
  RuleRecord& record = progress_.of_rule(index);
  ++record.acted;
  record.failures = 0;
  record.told.clear();
  cycles_.mark_acted(index);
  cycles_.let_rest(index);
  if (rule(index).stop) progress_.stop_by(index);
  decide_rules_after(index, ended);
}

// They were decided on the screen before this rule's steps. A model takes so long that others may apply by now.
void RuleProposer::decide_rules_after(std::size_t index, const Acting& ended) {
  const bool outdated = ended.has_touched && !decisions_.empty();
  if (!outdated && !ended.has_asked) return;
  decisions_.clear();
  if (index + 1 < progress_.rules()) resume_at_ = index + 1;
}

void RuleProposer::part_is_done() {
  const PlannedParts& parts = acting_->decision.actions[acting_->action];
  acting_->has_touched = acting_->has_touched || std::holds_alternative<v1::Step>(parts[acting_->part]);
  has_acted();
  ++acting_->part;
}

void RuleProposer::has_acted() {
  if (!acting_->has_acted) {
    cycles_.mark_acted(acting_->decision.rule);
    cycles_.let_rest(acting_->decision.rule);
  }
  acting_->has_acted = true;
  progress_.of_rule(acting_->decision.rule).stale = 0;
}

void RuleProposer::see(const planner::Answer& answer) {
  if (acting_ && acting_->task) acting_->task->see(answer);
}

void RuleProposer::hear_of_task(const v1::Step& step, const Event& event) {
  const std::size_t index = acting_->decision.rule;
  const Result<void> heard = acting_->task->hear(step, event);
  const bool carried_out = event.kind == EventKind::kDispatched || event.kind == EventKind::kConfirmed ||
                           event.kind == EventKind::kNoEffect || event.kind == EventKind::kSkipped;
  if (carried_out) {
    acting_->has_touched = true;
    has_acted();
  }
  if (!heard) {
    fail(index, heard.error().message);
    if (event.kind == EventKind::kDenied || event.kind == EventKind::kExpired) last_denial_ = event.kind;
    return;
  }
  if (event.kind == EventKind::kStaleTarget && ++progress_.of_rule(index).stale > kMaxStale) {
    fail(index, "the screen kept changing under its step: " + event.text);
  }
}

void RuleProposer::hear(const v1::Step& step, const Event& event) {
  if (!acting_) return;
  if (acting_->task) return hear_of_task(step, event);
  switch (event.kind) {
    case EventKind::kDispatched:
    case EventKind::kConfirmed:
    case EventKind::kSkipped:
      part_is_done();
      // During a pause, something else may have come to where the target was.
      if (acting_ && step.action().has_sleep()) acting_->is_planned = false;
      return;
    case EventKind::kStaleTarget:
      if (++progress_.of_rule(acting_->decision.rule).stale > kMaxStale) {
        fail(acting_->decision.rule, "the screen kept changing under its step: " + event.text);
      }
      return;
    case EventKind::kDenied:
    case EventKind::kExpired:
      fail(acting_->decision.rule, event.text);
      last_denial_ = event.kind;
      return;
    case EventKind::kNoEffect:
      has_acted();
      return fail(acting_->decision.rule, event.text.empty() ? "its step had no effect" : event.text);
    case EventKind::kRefused:
    case EventKind::kFailed:
    case EventKind::kInterrupted: return fail(acting_->decision.rule, event.text);
    default: return;
  }
}

void RuleProposer::look_again() {
  std::optional<std::size_t> from;
  if (!decisions_.empty()) from = decisions_.front().rule;
  decisions_.clear();
  if (acting_ && acting_->has_acted) {
    if (acting_->task) acting_->task->resumed();
    acting_->is_planned = acting_->task != nullptr;
  } else if (acting_) {
    from = acting_->decision.rule;
    acting_.reset();
  }
  if (from) resume_at_ = from;
}

// Ends the rule for this cycle.
void RuleProposer::fail(std::size_t index, const std::string& why) {
  RuleRecord& record = progress_.of_rule(index);
  const bool of_action = acting_ && acting_->decision.rule == index;
  if (of_action) {
    const Acting ended = *std::exchange(acting_, std::nullopt);
    // Also if no step was carried out, so that a model that fails is not asked more often than the rule allows.
    if (ended.has_asked) cycles_.mark_acted(index);
    decide_rules_after(index, ended);
    record.stale = 0;
  }
  cycles_.let_rest(index);
  progress_.add_failure(index, why, of_action ? RunProgress::FailedAt::kAction : RunProgress::FailedAt::kEvaluation);
  last_denial_.reset();
  if (record.told != why) {
    spdlog::warn("{}", progress_.last_failure());
    tell(v1::RuleEvent::KIND_FAILED, index, why);
    record.told = why;
  }
  if (progress_.has_failed_too_often(index)) fatal_ = progress_.failed_too_often(index);
}

Result<void> RuleProposer::run_cycle() {
  if (!resume_at_) cycles_.begin();
  ASSIGN_OR_RETURN(Cycle cycle, cycles_.evaluate(resume_at_));
  if (!resume_at_) progress_.add_cycles(1);
  const std::size_t from = std::exchange(resume_at_, std::nullopt).value_or(0);
  bus_.publish(facts_.next({.number = progress_.cycles(),
                            .first_rule = from,
                            .at = cycles_.evaluated_at(),
                            .cycle = cycle,
                            .state = cycles_.state(),
                            .analyses = cycles_.watch().analyses(),
                            .used = cycles_.watch().take_used()}),
               options_.task_id, view_.cause());
  std::vector<bool> failed(progress_.rules());
  for (const RuleError& error : cycle.errors) {
    if (error.rule < from) continue;
    failed[error.rule] = true;
    fail(error.rule, error.message);
  }
  for (std::size_t i = from; i < progress_.rules(); ++i) {
    RuleRecord& record = progress_.of_rule(i);
    if (record.failed_to_evaluate && !failed[i] && cycles_.was_evaluated(i)) {
      record.failures = 0;
      record.failed_to_evaluate = false;
    }
  }
  for (Decision& decision : cycle.decisions) {
    if (decision.rule >= from) decisions_.push_back(std::move(decision));
  }
  return ok();
}

bool RuleProposer::is_over() const {
  if (progress_.is_stopped()) return true;
  if (resume_at_) return false;
  if (options_.once && progress_.cycles() > 0) return true;
  return deadline_ && view_.clock().now() >= *deadline_;
}

Result<v1::Plan> RuleProposer::end_of_run() const {
  if (options_.once && progress_.failures() > 0) return Error{Code::kFailedPrecondition, progress_.last_failure()};
  v1::Plan plan;
  plan.set_done(progress_.summary());
  return plan;
}

void RuleProposer::log(const LogLine& line) {
  spdlog::log(log_level(line.level), "rule {}: {}", quote_rule(rule(acting_->decision.rule).name),
              escape_foreign(line.text));
  tell(v1::RuleEvent::KIND_LOG, acting_->decision.rule, line.text, std::string(spelling_of(line.level)));
}

void RuleProposer::tell(v1::RuleEvent::Kind kind, std::size_t index, const std::string& text, const std::string& level,
                        std::uint32_t model_step) {
  v1::RuleEvent event;
  event.set_kind(kind);
  event.set_rule(rule(index).name);
  event.set_level(level);
  event.set_text(text);
  event.set_cycle(progress_.cycles());
  event.set_model_step(model_step);
  event.set_evaluation(facts_.count());
  bus_.publish(std::move(event), options_.task_id, view_.cause());
}

}  // namespace da::planner::rules
