#include "services/actuator/stopping/held_input.h"

#include "services/actuator/outcomes.h"

namespace da::actuator {

void HeldInput::count(int change) {
  const std::lock_guard lock(mutex_);
  running_ += change;
  last_step_ = clock_.now();
}

bool HeldInput::acts_or_has_acted() const {
  const std::lock_guard lock(mutex_);
  return running_ > 0 || (last_step_ && clock_.now() - *last_step_ < kPersonCountsFor);
}

void HeldInput::release(const std::string& why) {
  const bool held_button = desktop_.input().button_held().has_value();
  if (!desktop_.input().release_all()) return;
  {
    const std::lock_guard lock(mutex_);
    // The keys of the running step, whose outcome says that it was interrupted.
    if (running_ > 0 && !held_button) return;
  }
  v1::Outcome outcome = outcome_of(
      v1::Outcome::KIND_DISPATCHED,
      (held_button ? "the held button was released where it had been pressed: " : "the held keys were released: ") +
          why);
  outcome.set_tool(held_button ? "mouse" : "press");
  bus_.publish(outcome, "", "");
}

void HeldInput::check(bool stopped) {
  {
    const std::lock_guard lock(mutex_);
    const bool too_long = running_ == 0 && last_step_ && clock_.now() - *last_step_ > kLongestHold;
    if (!stopped && !too_long) return;
  }
  release(stopped ? "the desktop was stopped" : "there was no step for 10 s");
}

}  // namespace da::actuator
