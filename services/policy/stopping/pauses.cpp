#include "services/policy/stopping/pauses.h"

#include "lib/base/text.h"
#include "lib/contract/pause_order.h"

namespace da::policy {
namespace {

constexpr char kActuator[] = "da-actuator";

std::string cause_text(v1::Pause::Cause cause) {
  switch (cause) {
    case v1::Pause::CAUSE_SESSION_LOCKED: return "the session is locked";
    case v1::Pause::CAUSE_PERSON: return "a person uses the desktop";
    default: return "paused";
  }
}

}  // namespace

bool Pauses::begin(const std::string& reason, const std::string& by) {
  Paused paused{{}, by};
  paused.pause.set_cause(v1::Pause::CAUSE_CONSOLE);
  paused.pause.set_reason(reason);
  const std::lock_guard hold(mutex_);
  ++begun_;  // Even if nothing changes: a resume in progress must not undo this pause.
  if (current_ && contract::outranks(current_->pause.cause(), v1::Pause::CAUSE_CONSOLE)) return false;
  current_ = std::move(paused);
  return true;
}

bool Pauses::take_over(const v1::Pause& pause) {
  if (pause.cause() == v1::Pause::CAUSE_POLICY_SILENT) return false;
  const std::lock_guard hold(mutex_);
  if (current_ && !contract::outranks(pause.cause(), current_->pause.cause())) return false;
  ++begun_;
  current_ = {pause, kActuator};
  return true;
}

std::uint64_t Pauses::begun() const {
  const std::lock_guard hold(mutex_);
  return begun_;
}

Result<bool> Pauses::end(std::uint64_t begun) {
  const std::lock_guard hold(mutex_);
  if (begun != begun_)
    return Error{Code::kAborted, "another pause began during the resume, so the policy stays paused"};
  const bool was_paused = current_.has_value();
  current_.reset();
  ended_.notify_all();
  return was_paused;
}

std::optional<Paused> Pauses::current() const {
  const std::lock_guard hold(mutex_);
  return current_;
}

std::optional<Paused> Pauses::wait_until_none(Milliseconds at_most, const std::stop_token& stop) const {
  std::unique_lock hold(mutex_);
  ended_.wait_for(hold, stop, at_most, [this] { return !current_; });
  return current_;
}

std::string in_words(const Paused& paused) {
  std::string words = cause_text(paused.pause.cause());
  if (!paused.pause.reason().empty()) words += ": " + escape_foreign(paused.pause.reason(), 300);
  return paused.by.empty() ? words : words + ", by " + escape_foreign(paused.by, 100);
}

}  // namespace da::policy
