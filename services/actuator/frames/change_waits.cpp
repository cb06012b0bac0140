#include "services/actuator/frames/change_waits.h"

#include <algorithm>
#include <condition_variable>
#include <utility>

namespace da::actuator {
namespace {

// The windows are listed at most this often while something is drawn outside of the areas, and at least this often,
// because a title can change without any drawing.
constexpr Milliseconds kBetweenWindowLooks{100};
constexpr Milliseconds kWindowLooksEvery{500};

Error cancelled() { return {Code::kCancelled, "the wait for a change of the screen was cancelled"}; }

bool touches(const std::vector<Rect>& drawn, const std::vector<Rect>& areas) {
  return std::ranges::any_of(drawn, [&](const Rect& each) {
    return std::ranges::any_of(areas, [&](const Rect& area) { return !intersection(each, area).empty(); });
  });
}

void sleep_until(const Clock& clock, MonoTime deadline, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop, deadline - clock.now(), [] { return false; });
}

}  // namespace

Result<bool> ChangeWaits::wait(const Wait& wait, const HasChanged& has_changed) {
  ASSIGN_OR_RETURN(auto watch, begin());
  auto result = watch_until(*watch, wait, has_changed);
  end(std::move(watch));
  return result;
}

Result<std::unique_ptr<DrawingWatch>> ChangeWaits::begin() {
  {
    const std::lock_guard lock(mutex_);
    if (under_way_ == kMostWaits) {
      return Error{Code::kResourceExhausted, "too many calls wait for a change of the screen (at most " +
                                                 std::to_string(kMostWaits) + "): retry later"};
    }
    ++under_way_;
    if (!idle_.empty()) {
      auto watch = std::move(idle_.back());
      idle_.pop_back();
      return watch;
    }
  }
  auto watch = screen_.watch_drawing();
  if (!watch) {
    const std::lock_guard lock(mutex_);
    --under_way_;
  }
  return watch;
}

void ChangeWaits::end(std::unique_ptr<DrawingWatch> watch) {
  const std::lock_guard lock(mutex_);
  --under_way_;
  idle_.push_back(std::move(watch));
}

Result<bool> ChangeWaits::watch_until(DrawingWatch& watch, const Wait& wait, const HasChanged& has_changed) const {
  const bool watches = watch.arm().has_value();
  ASSIGN_OR_RETURN(const bool differs, has_changed(Look::kFirst));
  if (differs) return true;
  if (!watches) {
    sleep_until(clock_, wait.deadline, wait.stop);
    return wait.stop.stop_requested() ? cancelled() : has_changed(Look::kLast);
  }
  bool look_due = false;
  MonoTime next_look{};
  MonoTime latest_look = clock_.now() + kWindowLooksEvery;
  while (true) {
    const MonoTime look_at = look_due ? next_look : latest_look;
    const MonoTime until = wait.windows ? std::min(look_at, wait.deadline) : wait.deadline;
    const auto drawn = watch.next(until, wait.stop);
    if (wait.stop.stop_requested()) return cancelled();
    if (!drawn || touches(*drawn, wait.areas)) return true;
    if (drawn->empty() && until == wait.deadline) return has_changed(Look::kLast);
    if (!wait.windows) continue;
    look_due = look_due || !drawn->empty();
    if (clock_.now() < (look_due ? next_look : latest_look)) continue;
    ASSIGN_OR_RETURN(const bool changed, has_changed(Look::kLater));
    if (changed) return true;
    look_due = false;
    next_look = clock_.now() + kBetweenWindowLooks;
    latest_look = clock_.now() + kWindowLooksEvery;
  }
}

}  // namespace da::actuator
