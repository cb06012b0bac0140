#include "services/planner/rules/run/rule_proposer.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "lib/base/text.h"
#include "services/planner/rules/profile/rule_fields.h"

namespace da::planner::rules {
namespace {

constexpr int kMaxStale = 5;        // Of one step, in a row.
constexpr int kMaxLooks = 3;        // In a cycle, until a screen that keeps changing is taken as it is.
constexpr int kMaxRounds = 10'000;  // Of questions in a cycle. Each answers at least one condition.
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

}  // namespace

RuleProposer::RuleProposer(const LoadedProfile& loaded, RunOptions options, TaskView& view, bus::Publisher& bus)
    : loaded_(loaded),
      options_(std::move(options)),
      view_(view),
      bus_(bus),
      engine_(loaded.profile),
      watch_(loaded, engine_, view),
      state_(loaded.profile.rules.size()),
      records_(loaded.profile.rules.size()),
      told_(loaded.profile.rules.size()) {
  if (options_.run_for > Milliseconds(0)) deadline_ = view.clock().now() + options_.run_for;
}

View RuleProposer::wanted_view() const {
  return acting_ && acting_->has_touched ? View::kSettledApplication : View::kState;
}

Result<v1::Plan> RuleProposer::decide(const v1::Observation& latest, Attempt attempt) {
  if (attempt == Attempt::kAgain) look_again();
  while (true) {
    ASSIGN_OR_RETURN(auto step, next_step());
    if (fatal_) return *fatal_;
    if (step) {
      v1::Plan plan;
      plan.set_frame_id(latest.frame_id());
      *plan.add_steps() = *std::move(step);
      if (options_.dry_run) part_is_done();
      return plan;
    }
    if (is_over()) return end_of_run();
    RETURN_IF_ERROR(wait_for_next_cycle());
    if (is_over()) return end_of_run();
    RETURN_IF_ERROR(run_cycle());
  }
}

// The rules' next step; nullopt if no rule acts any more in this cycle.
Result<std::optional<v1::Step>> RuleProposer::next_step() {
  while (!fatal_) {
    if (!acting_) {
      if (decisions_.empty()) return std::optional<v1::Step>();
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
      acting_->is_planned = !acting_->has_touched;
      continue;
    }
    const PlannedPart& part = parts[acting_->part];
    if (const auto* step = std::get_if<v1::Step>(&part)) return std::optional(*step);
    if (const auto* line = std::get_if<LogLine>(&part)) {
      log(*line);
      part_is_done();
    } else {
      fail(acting_->decision.rule, "a running profile cannot ask models");  // load() refuses such profiles.
    }
  }
  return std::optional<v1::Step>();
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
  const std::size_t index = acting_->decision.rule;
  const bool has_touched = acting_->has_touched;
  acting_.reset();
  RuleRecord& record = records_[index];
  ++record.acted;
  record.failures = 0;
  record.told.clear();
  mark_acted(state_, index, view_.clock().now());
  if (rule(index).stop) stopped_by_ = rule(index).name;
  if (has_touched) decide_rules_after(index);
}

// They were decided on the screen before this rule's steps.
void RuleProposer::decide_rules_after(std::size_t index) {
  if (decisions_.empty()) return;
  decisions_.clear();
  resume_at_ = index + 1;
}

void RuleProposer::part_is_done() {
  const PlannedParts& parts = acting_->decision.actions[acting_->action];
  if (!acting_->has_acted) mark_acted(state_, acting_->decision.rule, view_.clock().now());
  acting_->has_acted = true;
  acting_->has_touched = acting_->has_touched || std::holds_alternative<v1::Step>(parts[acting_->part]);
  records_[acting_->decision.rule].stale = 0;
  ++acting_->part;
}

void RuleProposer::hear(const v1::Step&, const Event& event) {
  if (!acting_) return;
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
    acting_->is_planned = false;
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
    const bool has_touched = acting_->has_touched;
    acting_.reset();
    if (has_touched) decide_rules_after(index);
    record.stale = 0;
  }
  ++failures_;
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
  if (!resume_at_) cycle_begun_ = view_.clock().now();
  const MonoTime now = view_.clock().now();
  ASSIGN_OR_RETURN(Cycle cycle, evaluate(now));
  if (!resume_at_) ++cycles_;
  const std::size_t from = std::exchange(resume_at_, std::nullopt).value_or(0);
  tell_evaluation(now, from, cycle);
  std::vector<bool> failed(records_.size());
  for (const RuleError& error : cycle.errors) {
    if (error.rule < from) continue;
    failed[error.rule] = true;
    fail(error.rule, error.message);
  }
  for (std::size_t i = from; i < records_.size(); ++i) {
    if (records_[i].failed_to_evaluate && !failed[i]) {
      records_[i].failures = 0;
      records_[i].failed_to_evaluate = false;
    }
  }
  for (Decision& decision : cycle.decisions) {
    if (decision.rule >= from) decisions_.push_back(std::move(decision));
  }
  return ok();
}

Result<Cycle> RuleProposer::evaluate(MonoTime now) {
  RETURN_IF_ERROR(watch_.look());
  int looks = 1;
  for (int round = 0; round < kMaxRounds; ++round) {
    Cycle cycle = engine_.evaluate(watch_.analyses(), loaded_.variables, state_, now);
    if (cycle.questions.empty()) return cycle;
    const auto changes = looks < kMaxLooks ? ScreenWatch::Changes::kReport : ScreenWatch::Changes::kAccept;
    ASSIGN_OR_RETURN(const auto screen, watch_.answer(cycle.questions, changes));
    if (screen == ScreenWatch::Screen::kSame) continue;
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
  MonoTime until = cycle_begun_ + seconds(loaded_.profile.settings.monitoring_interval_seconds.value);
  if (deadline_) until = std::min(until, *deadline_);
  until = std::min(until, view_.time_limit());
  if (view_.cancel().pause_until(view_.clock(), until) == TaskCancel::Pause::kCancelled) {
    return Error{Code::kCancelled, "stopped between two cycles"};
  }
  if (view_.time_is_over()) return Error{Code::kFailedPrecondition, "the time limit of the task is over; " + summary()};
  return ok();
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

void RuleProposer::tell_evaluation(MonoTime now, std::size_t first, const Cycle& cycle) {
  v1::RulesEvaluated fact;
  fact.set_evaluation(++evaluations_);
  fact.set_cycle(cycles_);
  fact.set_first_rule(static_cast<std::uint32_t>(first));
  fact.set_monotonic_ns(now.time_since_epoch().count());
  for (auto& answer : watch_.take_used()) *fact.add_answers() = std::move(answer);
  for (std::size_t i = 0; i < state_.size(); ++i) {
    if (state_[i] == told_[i]) continue;
    auto& changed = *fact.add_changed();
    changed.set_rule(static_cast<std::uint32_t>(i));
    if (state_[i].acted) changed.set_acted_ns(state_[i].acted->time_since_epoch().count());
  }
  told_ = state_;
  for (const Decision& decision : cycle.decisions) {
    if (decision.rule >= first) fact.add_fires(static_cast<std::uint32_t>(decision.rule));
  }
  for (const RuleError& error : cycle.errors) {
    if (error.rule < first) continue;
    auto& failure = *fact.add_failed();
    failure.set_rule(static_cast<std::uint32_t>(error.rule));
    failure.set_message(error.message);
  }
  bus_.publish(std::move(fact), options_.task_id, view_.cause());
}

void RuleProposer::log(const LogLine& line) {
  spdlog::log(log_level(line.level), "rule {}: {}", quote_foreign(rule(acting_->decision.rule).name, kShownOfName),
              escape_foreign(line.text));
  tell(v1::RuleEvent::KIND_LOG, acting_->decision.rule, line.text, std::string(spelling_of(line.level)));
}

void RuleProposer::tell(v1::RuleEvent::Kind kind, std::size_t index, const std::string& text,
                        const std::string& level) {
  v1::RuleEvent event;
  event.set_kind(kind);
  event.set_rule(rule(index).name);
  event.set_level(level);
  event.set_text(text);
  event.set_cycle(cycles_);
  event.set_evaluation(evaluations_);
  bus_.publish(std::move(event), options_.task_id, view_.cause());
}

}  // namespace da::planner::rules
