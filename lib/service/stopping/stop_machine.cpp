#include "lib/service/stopping/stop_machine.h"

#include <utility>

#include "lib/base/text.h"

namespace da::service {
namespace {

constexpr std::size_t kMaxReason = 300;
constexpr std::size_t kMaxName = 100;

int rank(v1::Pause::Cause cause) {
  switch (cause) {
    case v1::Pause::CAUSE_SESSION_LOCKED:
    case v1::Pause::CAUSE_SECURE_DESKTOP:
    case v1::Pause::CAUSE_DISCONNECTED: return 3;
    case v1::Pause::CAUSE_CONSOLE: return 2;
    case v1::Pause::CAUSE_PERSON: return 1;
    case v1::Pause::CAUSE_POLICY_SILENT: return 0;
    default: return 2;  // An unknown cause counts as a person's decision.
  }
}

v1::Outcome::Code code_of(v1::Pause::Cause cause) {
  switch (cause) {
    case v1::Pause::CAUSE_SESSION_LOCKED: return v1::Outcome::CODE_SESSION_LOCKED;
    case v1::Pause::CAUSE_SECURE_DESKTOP: return v1::Outcome::CODE_SECURE_DESKTOP;
    case v1::Pause::CAUSE_DISCONNECTED: return v1::Outcome::CODE_DISCONNECTED;
    case v1::Pause::CAUSE_POLICY_SILENT: return v1::Outcome::CODE_SUSPENDED;
    default: return v1::Outcome::CODE_PAUSED;
  }
}

Stop stop_of(const v1::Pause& pause, std::string by) {
  return {code_of(pause.cause()), pause.cause(), pause.reason(), std::move(by)};
}

std::string kind_of(const Stop& stop) {
  if (const auto obstacle = session_obstacle(stop.cause); !obstacle.empty()) return std::string(obstacle);
  switch (stop.cause) {
    case v1::Pause::CAUSE_UNSPECIFIED: return "halted";
    case v1::Pause::CAUSE_PERSON: return "a person uses the desktop";
    default: return "paused";
  }
}

// ": smoke, by ada"
std::string why_and_by(const Stop& stop) {
  return (stop.reason.empty() ? "" : ": " + escape_foreign(stop.reason, kMaxReason)) +
         (stop.by.empty() ? "" : ", by " + escape_foreign(stop.by, kMaxName));
}

}  // namespace

bool is_pause(v1::Outcome::Code code) {
  return code == v1::Outcome::CODE_PAUSED || code == v1::Outcome::CODE_SESSION_LOCKED ||
         code == v1::Outcome::CODE_SECURE_DESKTOP || code == v1::Outcome::CODE_DISCONNECTED;
}

std::string_view session_obstacle(v1::Pause::Cause cause) {
  switch (cause) {
    case v1::Pause::CAUSE_SESSION_LOCKED: return "the session is locked";
    case v1::Pause::CAUSE_SECURE_DESKTOP: return "the system shows a desktop of its own";
    case v1::Pause::CAUSE_DISCONNECTED: return "the remote connection to the session is closed";
    default: return "";
  }
}

std::string in_words(const Stop& stop) { return kind_of(stop) + why_and_by(stop); }

std::string in_status(const std::optional<Stop>& stop) {
  if (!stop) return "no";
  return stop->code == v1::Outcome::CODE_HALTED ? "yes" + why_and_by(*stop) : "yes: " + in_words(*stop);
}

v1::Pause to_proto(const Stop& pause) {
  v1::Pause message;
  message.set_cause(pause.cause);
  message.set_reason(pause.reason);
  return message;
}

void StopMachine::halt(std::string reason, std::string by) {
  halted_ = {v1::Outcome::CODE_HALTED, v1::Pause::CAUSE_UNSPECIFIED, std::move(reason), std::move(by)};
  ++count_.halts;
}

bool StopMachine::pause(const v1::Pause& pause, std::string by) {
  ++count_.pauses;  // Also if a stronger pause stays: a resume that has begun must not undo this decision.
  if (paused_ && rank(paused_->cause) > rank(pause.cause())) return false;
  paused_ = stop_of(pause, std::move(by));
  return true;
}

bool StopMachine::report(const v1::Pause& pause, std::string by) {
  if (pause.cause() == v1::Pause::CAUSE_POLICY_SILENT) return false;
  if (paused_ && rank(paused_->cause) >= rank(pause.cause())) return false;
  ++count_.pauses;
  paused_ = stop_of(pause, std::move(by));
  return true;
}

Result<bool> StopMachine::end_halt(const Count& begun) {
  if (begun.halts != count_.halts) {
    return Error{Code::kAborted, "halted while it was being resumed, so the halt stays"};
  }
  return std::exchange(halted_, std::nullopt).has_value();
}

Result<bool> StopMachine::end_pause(const Count& begun) {
  if (begun.pauses != count_.pauses) {
    return Error{Code::kAborted, "another pause began during the resume, so it stays paused"};
  }
  return std::exchange(paused_, std::nullopt).has_value();
}

std::optional<Stop> StopMachine::paused(bool policy_is_silent) const {
  if (paused_ || !policy_is_silent) return paused_;
  v1::Pause silence;
  silence.set_cause(v1::Pause::CAUSE_POLICY_SILENT);
  silence.set_reason("the policy has sent no heartbeat for " + std::to_string(kLongestSilence.count() / 1000) + " s");
  return stop_of(silence, "");
}

std::optional<Stop> StopMachine::current(bool policy_is_silent) const {
  return halted_ ? halted_ : paused(policy_is_silent);
}

}  // namespace da::service
