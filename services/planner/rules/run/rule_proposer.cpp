#include "services/planner/rules/run/rule_proposer.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "lib/base/text.h"
#include "services/planner/rules/profile/rule_fields.h"

namespace da::planner::rules {
namespace {

constexpr int kMaxStale = 5;                  // Of one step, in a row.
constexpr int kMaxLooks = 3;                  // In a cycle, until a screen that keeps changing is taken as it is.
constexpr int kMaxRounds = 10'000;            // Of questions in a cycle. Each answers at least one condition.
constexpr Milliseconds kLongestWait{20'000};  // For a change; then the observer is asked again.
// An application may report its elements later than it draws them, and a tree may be this old (the actuator's
// kMaxElementAge). So those are looked at again, although the next tick may be far away.
constexpr Milliseconds kElementsFollow{1'100};
constexpr std::size_t kShownOfName = 100;
constexpr std::size_t kNamedRules = 10;

Nanoseconds seconds(double value) {
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(value));
}

std::string times(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

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

void log_reports(std::uint64_t cycle, const std::vector<RuleReport>& reports) {
  for (const RuleReport& report : reports) spdlog::debug("cycle {}: {}", cycle, escape_foreign(to_text(report), 4000));
}

}  // namespace

RuleProposer::RuleProposer(const LoadedProfile& loaded, RunOptions options, TaskView& view, ModelCalls& models,
                           bus::Publisher& bus)
    : loaded_(loaded),
      options_(std::move(options)),
      view_(view),
      bus_(bus),
      models_(models),
      engine_(loaded.profile),
      watch_(loaded, engine_, view, models),
      state_(loaded.profile.rules.size()),
      records_(loaded.profile.rules.size()),
      pace_(seconds(loaded.profile.settings.monitoring_interval_seconds.value)),
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
    RETURN_IF_ERROR(wait_for_next_cycle());
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
    if (!models_.budget().check()) return Error{Code::kResourceExhausted, plan.error().message + "; " + summary()};
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
  RETURN_IF_ERROR(watch_.look());
  const Rule& acting = rule(acting_->decision.rule);
  const Findings findings{acting_->decision.variables, acting_->decision.last_match};
  for (int round = 0; round < kMaxRounds; ++round) {
    auto planned = plan_action(loaded_.profile, acting, acting.actions[acting_->action], findings, watch_.analyses());
    if (auto* parts = std::get_if<PlannedParts>(&planned)) {
      acting_->decision.actions[acting_->action] = std::move(*parts);
      acting_->is_planned = true;
      return ok();
    }
    if (const auto* error = std::get_if<Error>(&planned)) {
      fail(acting_->decision.rule, error->message);
      return ok();
    }
    const auto answered = watch_.answer({std::get<Question>(planned)}, ScreenWatch::Changes::kAccept);
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
  RuleRecord& record = records_[index];
  ++record.acted;
  record.failures = 0;
  record.told.clear();
  mark_acted(state_, index, view_.clock().now());
  let_rest(index);
  if (rule(index).stop) stopped_by_ = rule(index).name;
  decide_rules_after(index, ended);
}

// So that early cycles make no rule act, or fail, more often than the interval does.
void RuleProposer::let_rest(std::size_t index) { state_[index].rests_until = pace_.rested(); }

// They were decided on the screen before this rule's steps. A model takes so long that others may apply by now.
void RuleProposer::decide_rules_after(std::size_t index, const Acting& ended) {
  const bool outdated = ended.has_touched && !decisions_.empty();
  if (!outdated && !ended.has_asked) return;
  decisions_.clear();
  if (index + 1 < records_.size()) resume_at_ = index + 1;
}

void RuleProposer::part_is_done() {
  const PlannedParts& parts = acting_->decision.actions[acting_->action];
  acting_->has_touched = acting_->has_touched || std::holds_alternative<v1::Step>(parts[acting_->part]);
  has_acted();
  ++acting_->part;
}

void RuleProposer::has_acted() {
  if (!acting_->has_acted) {
    mark_acted(state_, acting_->decision.rule, view_.clock().now());
    let_rest(acting_->decision.rule);
  }
  acting_->has_acted = true;
  records_[acting_->decision.rule].stale = 0;
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
  if (!heard) return fail(index, heard.error().message);
  if (event.kind == EventKind::kStaleTarget && ++records_[index].stale > kMaxStale) {
    fail(index, "the screen kept changing under its step: " + event.text);
  }
}

void RuleProposer::hear(const v1::Step& step, const Event& event) {
  if (!acting_) return;
  if (acting_->task) return hear_of_task(step, event);
  switch (event.kind) {
    case EventKind::kDispatched:
    case EventKind::kConfirmed:
    case EventKind::kNoEffect:
    case EventKind::kSkipped: return part_is_done();
    case EventKind::kStaleTarget:
      if (++records_[acting_->decision.rule].stale > kMaxStale) {
        fail(acting_->decision.rule, "the screen kept changing under its step: " + event.text);
      }
      return;
    case EventKind::kDenied:
    case EventKind::kExpired:
      fail(acting_->decision.rule, event.text);
      last_failure_is_denial_ = true;
      return;
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
  RuleRecord& record = records_[index];
  const bool of_action = acting_ && acting_->decision.rule == index;
  if (of_action) {
    const Acting ended = *std::exchange(acting_, std::nullopt);
    // Also if no step was carried out, so that a model that fails is not asked more often than the rule allows.
    if (ended.has_asked) mark_acted(state_, index, view_.clock().now());
    decide_rules_after(index, ended);
    record.stale = 0;
  }
  let_rest(index);
  ++failures_;
  last_failure_is_denial_ = false;
  ++record.failures;
  record.failed_to_evaluate = !of_action;
  // The engine's messages name the rule.
  last_failure_ = of_action ? "rule " + quote_foreign(rule(index).name, kShownOfName) + ": " + why : why;
  if (record.told != why) {
    spdlog::warn("{}", last_failure_);
    tell(v1::RuleEvent::KIND_FAILED, index, why);
    record.told = why;
  }
  const double most = loaded_.profile.settings.max_failures_in_a_row.value;
  if (most > 0 && record.failures >= most) {
    fatal_ = Error{Code::kFailedPrecondition, last_failure_ + " (failed " + times(record.failures, "time") +
                                                  " in a row, after " + times(cycles_, "cycle") +
                                                  "; max_failures_in_a_row of the profile's settings is the limit)"};
  }
}

Result<void> RuleProposer::run_cycle() {
  if (!resume_at_) {
    pace_.begin(view_.clock().now());
    watch_.begin_cycle();
  }
  ASSIGN_OR_RETURN(Cycle cycle, evaluate());
  if (!resume_at_) ++cycles_;
  const std::size_t from = std::exchange(resume_at_, std::nullopt).value_or(0);
  bus_.publish(facts_.next({.number = cycles_,
                            .first_rule = from,
                            .at = evaluated_at_,
                            .cycle = cycle,
                            .state = state_,
                            .analyses = watch_.analyses(),
                            .used = watch_.take_used()}),
               options_.task_id, view_.cause());
  std::vector<bool> failed(records_.size());
  for (const RuleError& error : cycle.errors) {
    if (error.rule < from) continue;
    failed[error.rule] = true;
    fail(error.rule, error.message);
  }
  for (std::size_t i = from; i < records_.size(); ++i) {
    const bool was_evaluated = state_[i].rests_until <= evaluated_at_;
    if (records_[i].failed_to_evaluate && !failed[i] && was_evaluated) {
      records_[i].failures = 0;
      records_[i].failed_to_evaluate = false;
    }
  }
  for (Decision& decision : cycle.decisions) {
    if (decision.rule >= from) decisions_.push_back(std::move(decision));
  }
  return ok();
}

Result<Cycle> RuleProposer::evaluate() {
  evaluated_at_ = view_.clock().now();
  RETURN_IF_ERROR(watch_.look());
  int looks = 1;
  const auto reports = spdlog::should_log(spdlog::level::debug) ? Reports::kAll : Reports::kOfDecisions;
  for (int round = 0; round < kMaxRounds; ++round) {
    Cycle cycle =
        engine_.evaluate(watch_.analyses(), loaded_.variables, state_, evaluated_at_, reports, resume_at_.value_or(0));
    if (cycle.questions.empty() && !watch_.has_waited()) {
      // Rules before resume_at_ were not evaluated: they may hold.
      is_settled_ = !resume_at_ && cycle.decisions.empty() && cycle.errors.empty() && !watch_.knows_elements() &&
                    !watch_.has_aged();
      const MonoTime now = view_.clock().now();
      pace_.looked(now, now - evaluated_at_ + watch_.work());
      log_reports(cycles_ + 1, cycle.reports);
      return cycle;
    }
    Result<ScreenWatch::Screen> screen = ScreenWatch::Screen::kChanged;
    if (!cycle.questions.empty()) {
      const auto changes = looks < kMaxLooks ? ScreenWatch::Changes::kReport : ScreenWatch::Changes::kAccept;
      screen = watch_.answer(cycle.questions, changes);
      if (!screen && screen.error().code == Code::kResourceExhausted) {
        return Error{Code::kResourceExhausted, screen.error().message + "; " + summary()};
      }
      if (!screen) return screen.error();
    }
    if (*screen == ScreenWatch::Screen::kSame) continue;
    ++looks;
    RETURN_IF_ERROR(watch_.look());
  }
  return Error{Code::kResourceExhausted, "the rules have too many questions about one screen"};
}

bool RuleProposer::is_over() const {
  if (!stopped_by_.empty()) return true;
  if (resume_at_) return false;
  if (options_.once && cycles_ > 0) return true;
  return deadline_ && view_.clock().now() >= *deadline_;
}

Result<void> RuleProposer::wait_for_next_cycle() {
  if (resume_at_ || cycles_ == 0) return ok();
  const MonoTime limit = deadline_ ? std::min(*deadline_, view_.time_limit()) : view_.time_limit();
  const MonoTime evaluation = next_evaluation();
  const Clock& clock = view_.clock();
  bool has_changed = false;
  while (!has_changed && clock.now() < std::min(limit, evaluation)) {
    MonoTime until = std::min({limit, evaluation, clock.now() + kLongestWait});
    if (watch_.needs_short_waits()) until = std::min(until, pace_.next_tick());
    ASSIGN_OR_RETURN(has_changed, wait_until(until));
    // Intervals in which the rules could decide nothing else.
    if (pace_.next_tick() < evaluation) cycles_ += pace_.skip_ticks(std::min(clock.now(), evaluation));
  }
  if (has_changed) elements_again_ = clock.now() + kElementsFollow;
  if (view_.time_is_over()) return Error{Code::kFailedPrecondition, "the time limit of the task is over; " + summary()};
  return ok();
}

// When the rules must be evaluated even if the screen stays as it is.
MonoTime RuleProposer::next_evaluation() const {
  const bool again = watch_.knows_elements() && elements_again_ > evaluated_at_;
  if (again) return std::min(elements_again_, pace_.next_tick());
  if (!is_settled_ || !watch_.can_wait()) return pace_.next_tick();
  const auto rested = engine_.next_rested(state_, evaluated_at_);
  return rested ? pace_.tick_from(*rested) : MonoTime::max();
}

// True: a region has changed.
Result<bool> RuleProposer::wait_until(MonoTime until) {
  const MonoTime now = view_.clock().now();
  if (watch_.can_wait()) {
    const auto least = std::chrono::ceil<Milliseconds>(pace_.early_from() - now);
    const auto screen = watch_.await_change(least, std::chrono::ceil<Milliseconds>(until - now));
    if (screen) return *screen == ScreenWatch::Screen::kChanged;
    if (screen.error().code != Code::kResourceExhausted) return screen.error();
  }
  // Nobody tells of changes: look at the next tick.
  if (view_.cancel().pause_until(view_.clock(), std::min(until, pace_.next_tick())) == TaskCancel::Pause::kCancelled) {
    return Error{Code::kCancelled, "stopped between two cycles"};
  }
  return view_.clock().now() >= pace_.next_tick();
}

Result<v1::Plan> RuleProposer::end_of_run() const {
  if (options_.once && failures_ > 0) return Error{Code::kFailedPrecondition, last_failure_};
  v1::Plan plan;
  plan.set_done(summary());
  return plan;
}

std::string RuleProposer::summary() const {
  std::string text = times(cycles_, "cycle");
  if (!stopped_by_.empty()) text += ", ended by rule " + quote_foreign(stopped_by_, kShownOfName);
  std::string acted;
  std::size_t named = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (records_[i].acted == 0) continue;
    if (named == kNamedRules) {
      ++others;
      continue;
    }
    ++named;
    acted += (acted.empty() ? "" : ", ") + quote_foreign(rule(i).name, kShownOfName) + " " +
             times(records_[i].acted, "time");
  }
  if (others > 0) acted += " and " + times(others, "other rule");
  text += acted.empty() ? "; no rule acted" : std::string(options_.dry_run ? "; would act: " : "; acted: ") + acted;
  if (failures_ > 0) text += "; " + times(failures_, "failure") + ", the last of " + last_failure_;
  return text;
}

void RuleProposer::log(const LogLine& line) {
  spdlog::log(log_level(line.level), "rule {}: {}", quote_foreign(rule(acting_->decision.rule).name, kShownOfName),
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
  event.set_cycle(cycles_);
  event.set_model_step(model_step);
  event.set_evaluation(facts_.count());
  bus_.publish(std::move(event), options_.task_id, view_.cause());
}

}  // namespace da::planner::rules
