#include "services/actuator/stopping/stop_state.h"

#include <spdlog/spdlog.h>

namespace da::actuator {

bool StopState::silent() const { return last_heartbeat_ && clock_.now() - *last_heartbeat_ > service::kLongestSilence; }

void StopState::publish_change() {
  const auto now = latch_.paused(silent());
  const auto cause = now ? now->cause : v1::Pause::CAUSE_UNSPECIFIED;
  if (cause == published_) return;
  published_ = cause;
  v1::ActuatorPause fact;
  fact.set_paused(now.has_value());
  if (now) *fact.mutable_pause() = service::to_proto(*now);
  if (now) {
    spdlog::warn("paused: {}", now->reason);
  } else {
    spdlog::warn("not paused any more");
  }
  bus_.publish(fact, "", "");
}

std::optional<StopState::Reason> StopState::stop_reason() {
  const std::lock_guard lock(mutex_);
  publish_change();
  const auto stop = latch_.current(silent());
  if (!stop) return std::nullopt;
  const bool halted = stop->code == v1::Outcome::CODE_HALTED;
  const std::string_view obstacle = service::session_obstacle(stop->cause);
  const std::string_view what = halted             ? "the desktop is halted"
                                : obstacle.empty() ? "the desktop is paused"
                                                   : obstacle;
  return Reason{stop->code, std::string(what) + ": " + stop->reason};
}

std::optional<std::string> StopState::hide_reason() {
  if (latch_.halted()) return "nothing is shown while the desktop is halted";
  const auto paused = latch_.paused();
  const auto obstacle = paused ? service::session_obstacle(paused->cause) : std::string_view();
  if (obstacle.empty()) return std::nullopt;
  return "nothing is shown while " + std::string(obstacle);
}

void StopState::halt(const std::string& reason, const std::string& by) {
  latch_.halt_in_memory(reason, by);
  v1::ActuatorHalt fact;
  fact.set_halted(true);
  fact.set_reason(reason);
  bus_.publish(fact, "", "");
  spdlog::warn("halted: {}", reason);
}

void StopState::remember_halt() {
  if (const auto kept = latch_.write_down(clock_); !kept) spdlog::error("{}", kept.error().message);
}

void StopState::pause(v1::Pause::Cause cause, const std::string& reason) {
  v1::Pause pause;
  pause.set_cause(cause);
  pause.set_reason(reason);
  const std::lock_guard lock(mutex_);
  if (latch_.report(pause, "")) publish_change();
}

Result<void> StopState::resume() {
  const auto begun = latch_.count();
  RETURN_IF_ERROR(latch_.end_halt(begun));
  spdlog::warn("resumed");
  bus_.publish(v1::ActuatorHalt(), "", "");
  const std::lock_guard lock(mutex_);
  const auto ended = latch_.end_pause(begun);
  publish_change();
  RETURN_IF_ERROR(ended);
  return ok();
}

v1::HeartbeatReply StopState::heartbeat() {
  v1::HeartbeatReply reply;
  if (const auto halt = latch_.halted()) {
    reply.set_halted(true);
    reply.set_halt_reason(halt->reason);
  }
  const std::lock_guard lock(mutex_);
  last_heartbeat_ = clock_.now();
  publish_change();
  if (const auto paused = latch_.paused()) *reply.mutable_pause() = service::to_proto(*paused);
  return reply;
}

}  // namespace da::actuator
