#include "services/planner/rules/run/rule_cycles.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "lib/base/text.h"

namespace da::planner::rules {
namespace {

constexpr int kMaxRounds = 10'000;            // Rounds of questions in a cycle. Each answers at least one condition.
constexpr Milliseconds kLongestWait{20'000};  // Limit of one wait for a change; then the observer is asked again.
// An application may report its elements later than it draws them, and a tree may be this old (the actuator's
// kMaxElementAge). So those are looked at again, although the next tick may be far away.
constexpr Milliseconds kElementsFollow{1'100};

Nanoseconds seconds(double value) {
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(value));
}

void log_reports(std::uint64_t cycle, const std::vector<RuleReport>& reports) {
  for (const RuleReport& report : reports) spdlog::debug("cycle {}: {}", cycle, escape_foreign(to_text(report), 4000));
}

}  // namespace

RuleCycles::RuleCycles(const LoadedProfile& loaded, TaskView& view, ModelCalls& models, RunProgress& progress)
    : loaded_(loaded),
      view_(view),
      progress_(progress),
      engine_(loaded.profile),
      watch_(loaded, engine_, view, models),
      state_(loaded.profile.rules.size()),
      pace_(seconds(loaded.profile.settings.monitoring_interval_seconds.value)) {}

void RuleCycles::begin() {
  pace_.begin(view_.clock().now());
  watch_.begin_cycle();
}

void RuleCycles::mark_acted(std::size_t rule) { rules::mark_acted(state_, rule, view_.clock().now()); }

Result<Cycle> RuleCycles::evaluate(std::optional<std::size_t> resume_at) {
  evaluated_at_ = view_.clock().now();
  RETURN_IF_ERROR(watch_.look());
  int looks = 1;
  const auto reports = spdlog::should_log(spdlog::level::debug) ? Reports::kAll : Reports::kOfDecisions;
  for (int round = 0; round < kMaxRounds; ++round) {
    Cycle cycle =
        engine_.evaluate(watch_.analyses(), loaded_.variables, state_, evaluated_at_, reports, resume_at.value_or(0));
    if (cycle.questions.empty() && !watch_.has_waited()) {
      // Rules before resume_at were not evaluated: they may hold.
      is_settled_ = !resume_at && cycle.decisions.empty() && cycle.errors.empty() && !watch_.knows_elements() &&
                    !watch_.has_aged();
      const MonoTime now = view_.clock().now();
      pace_.looked(now, now - evaluated_at_ + watch_.work());
      log_reports(progress_.cycles() + 1, cycle.reports);
      return cycle;
    }
    Result<ScreenWatch::Screen> screen = ScreenWatch::Screen::kChanged;
    if (!cycle.questions.empty()) {
      screen = watch_.answer(cycle.questions, ScreenWatch::changes_after(looks));
      if (!screen && screen.error().code == Code::kResourceExhausted) {
        return Error{Code::kResourceExhausted, screen.error().message + "; " + progress_.summary()};
      }
      if (!screen) return screen.error();
    }
    if (*screen == ScreenWatch::Screen::kSame) continue;
    ++looks;
    RETURN_IF_ERROR(watch_.look());
  }
  return Error{Code::kResourceExhausted, "the rules have too many questions about one screen"};
}

Result<void> RuleCycles::wait_for_next(std::optional<MonoTime> deadline) {
  if (progress_.cycles() == 0) return ok();
  const MonoTime limit = deadline ? std::min(*deadline, view_.time_limit()) : view_.time_limit();
  const MonoTime evaluation = next_evaluation();
  const Clock& clock = view_.clock();
  bool has_changed = false;
  while (!has_changed && clock.now() < std::min(limit, evaluation)) {
    MonoTime until = std::min({limit, evaluation, clock.now() + kLongestWait});
    if (watch_.needs_short_waits()) until = std::min(until, pace_.next_tick());
    ASSIGN_OR_RETURN(has_changed, wait_until(until));
    // Intervals in which the rules could decide nothing else.
    if (pace_.next_tick() < evaluation) progress_.add_cycles(pace_.skip_ticks(std::min(clock.now(), evaluation)));
  }
  if (has_changed) elements_again_ = clock.now() + kElementsFollow;
  if (view_.time_is_over())
    return Error{Code::kFailedPrecondition, "the time limit of the task is over; " + progress_.summary()};
  return ok();
}

// When the rules must be evaluated even if the screen does not change.
MonoTime RuleCycles::next_evaluation() const {
  const bool again = watch_.knows_elements() && elements_again_ > evaluated_at_;
  if (again) return std::min(elements_again_, pace_.next_tick());
  if (!is_settled_ || !watch_.can_wait()) return pace_.next_tick();
  const auto rested = engine_.next_rested(state_, evaluated_at_);
  return rested ? pace_.tick_from(*rested) : MonoTime::max();
}

// True: a region has changed.
Result<bool> RuleCycles::wait_until(MonoTime until) {
  const MonoTime now = view_.clock().now();
  if (watch_.can_wait()) {
    const auto least = std::chrono::ceil<Milliseconds>(pace_.early_from() - now);
    const auto screen = watch_.await_change(least, std::chrono::ceil<Milliseconds>(until - now));
    if (screen) return *screen == ScreenWatch::Screen::kChanged;
    if (screen.error().code != Code::kResourceExhausted) return screen.error();
  }
  // No service reports changes, so the rules look at the next tick.
  if (view_.cancel().pause_until(view_.clock(), std::min(until, pace_.next_tick())) == TaskCancel::Pause::kCancelled) {
    return Error{Code::kCancelled, "stopped between two cycles"};
  }
  return view_.clock().now() >= pace_.next_tick();
}

}  // namespace da::planner::rules
