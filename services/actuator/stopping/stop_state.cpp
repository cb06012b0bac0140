#include "services/actuator/stopping/stop_state.h"

#include <spdlog/spdlog.h>

#include "lib/contract/pause_order.h"

namespace da::actuator {
bool StopState::silent() const { return last_heartbeat_ && clock_.now() - *last_heartbeat_ > kLongestSilence; }

std::optional<v1::Pause> StopState::current() const {
  if (pause_ || !silent()) return pause_;
  v1::Pause silence;
  silence.set_cause(v1::Pause::CAUSE_POLICY_SILENT);
  silence.set_reason("the policy has sent no heartbeat for 2 s");
  return silence;
}

void StopState::publish_change() {
  const auto now = current();
  const auto cause = now ? now->cause() : v1::Pause::CAUSE_UNSPECIFIED;
  if (cause == published_) return;
  published_ = cause;
  v1::ActuatorPause fact;
  fact.set_paused(now.has_value());
  if (now) *fact.mutable_pause() = *now;
  if (now) {
    spdlog::warn("paused: {}", now->reason());
  } else {
    spdlog::warn("not paused any more");
  }
  bus_.publish(fact, "", "");
}

std::optional<StopState::Reason> StopState::stop_reason() {
  if (const auto why = halt_.engaged()) {
    return Reason{v1::Outcome::CODE_HALTED, "the desktop is halted: " + why->reason};
  }
  const std::lock_guard lock(mutex_);
  publish_change();
  const auto why = current();
  if (!why) return std::nullopt;
  return Reason{contract::refusal_code(why->cause()), "the desktop is paused: " + why->reason()};
}

std::optional<std::string> StopState::hide_reason() {
  if (halt_.engaged()) return "nothing is shown while the desktop is halted";
  const std::lock_guard lock(mutex_);
  const bool locked = pause_ && pause_->cause() == v1::Pause::CAUSE_SESSION_LOCKED;
  return locked ? std::optional<std::string>("nothing is shown while the session is locked") : std::nullopt;
}

void StopState::halt(const std::string& reason, const std::string& by) {
  halt_.engage_in_memory({reason, by});
  v1::ActuatorHalt fact;
  fact.set_halted(true);
  fact.set_reason(reason);
  bus_.publish(fact, "", "");
  spdlog::warn("halted: {}", reason);
}

void StopState::remember_halt() {
  if (const auto kept = halt_.write_down(clock_); !kept) spdlog::error("{}", kept.error().message);
}

void StopState::pause(v1::Pause::Cause cause, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (pause_ && !contract::outranks(cause, pause_->cause())) return;
  pause_.emplace();
  pause_->set_cause(cause);
  pause_->set_reason(reason);
  publish_change();
}

Result<void> StopState::resume() {
  RETURN_IF_ERROR(halt_.release());
  spdlog::warn("resumed");
  bus_.publish(v1::ActuatorHalt(), "", "");
  const std::lock_guard lock(mutex_);
  pause_.reset();
  publish_change();
  return ok();
}

v1::HeartbeatReply StopState::heartbeat() {
  v1::HeartbeatReply reply;
  if (const auto why = halt_.engaged()) {
    reply.set_halted(true);
    reply.set_halt_reason(why->reason);
  }
  const std::lock_guard lock(mutex_);
  last_heartbeat_ = clock_.now();
  publish_change();
  if (pause_) *reply.mutable_pause() = *pause_;
  return reply;
}

}  // namespace da::actuator
