#include "services/policy/stopping/stopping.h"

#include <utility>

namespace da::policy {
namespace {

// A halted actuator stops between two chunks of input, and needs time to report how far it got.
constexpr Milliseconds kHaltGrace{500};
constexpr Milliseconds kDiskTimeout{500};  // Longest wait of halt and resume for the disk.
constexpr char kActuator[] = "da-actuator";
// States of the actuator in replies.
constexpr char kHalted[] = "halted";
constexpr char kPaused[] = "paused";

// Extends the error if the actuator is not in the wanted state; `state` is its state, or the error of stopping it.
Error with_actuator(const Error& why, const std::string& wanted, const std::string& state) {
  return state == wanted ? why : Error{why.code, why.message + "; da-actuator could not be stopped: " + state};
}

}  // namespace

Stopping::Stopping(service::StopLatch stops, const Parts& parts, std::function<void()> ignore_replies)
    : stops_(std::move(stops)), parts_(parts), ignore_replies_(std::move(ignore_replies)) {}

Result<v1::HaltReply> Stopping::halt(const v1::HaltRequest& request) {
  engage_halt(request.reason(), request.by());
  v1::HaltReply reply;
  reply.set_actuator(halt_actuator(request.reason()));
  RETURN_IF_ERROR(await_latch());
  return reply;
}

Result<void> Stopping::halt_alone(const v1::HaltRequest& request) {
  engage_halt(request.reason(), request.by());
  // A call that is under way tells the same. A resume may have come before a late one.
  if (actuator_caller_.wait_until_done(Milliseconds(0))) {
    actuator_caller_.add([this, reason = request.reason()] {
      if (stops_.halted()) halt_actuator(reason);
    });
  }
  return await_latch();
}

Result<void> Stopping::await_latch() {
  if (!disk_writer_.wait_until_done(kDiskTimeout)) {
    return Error{Code::kInternal, "halted, but the disk does not answer: the halt may be lost at a restart"};
  }
  const std::lock_guard hold(latch_mutex_);
  if (!latched_) {
    return Error{Code::kInternal, "halted, but the halt would be lost at a restart: " + latched_.error().message};
  }
  return ok();
}

void Stopping::halt_by(const std::string& service, const std::string& reason) {
  engage_halt(reason, service);
  halt_actuator(reason);
}

void Stopping::engage_halt(const std::string& reason, const std::string& by) {
  stops_.halt_in_memory(reason, by);
  parts_.approvals.withdraw_all("halted: " + reason);
  publish_halt(true, reason, by);
  disk_writer_.add([this, reason, by] {
    auto latched = stops_.write_down(parts_.clock);
    {
      const std::lock_guard hold(latch_mutex_);
      latched_ = std::move(latched);
    }
    parts_.audit.halted(reason, by);
  });
}

std::string Stopping::halt_actuator(const std::string& reason) {
  const auto told = parts_.actuator.halt(reason);
  if (told) parts_.running.wait_until_none(kHaltGrace);
  parts_.running.stop_all();
  return told ? kHalted : told.error().message;
}

v1::PauseReply Stopping::pause(const v1::PauseRequest& request) {
  v1::Pause pause;
  pause.set_cause(v1::Pause::CAUSE_CONSOLE);
  pause.set_reason(request.reason());
  if (stops_.pause(pause, request.by())) pause_began();
  v1::PauseReply reply;
  reply.set_actuator(pause_actuator(request.reason()));
  return reply;
}

void Stopping::pause_began() {
  const auto paused = stops_.paused();
  if (!paused) return;
  v1::PolicyPause fact;
  fact.set_paused(true);
  *fact.mutable_pause() = service::to_proto(*paused);
  fact.set_by(paused->by);
  parts_.bus.publish(fact, "", "");
  disk_writer_.add([this, pause = fact.pause(), by = paused->by] { parts_.audit.paused(pause, by); });
}

// The actuator stops the running step and reports how far it got. If it cannot be reached, the call is cancelled.
std::string Stopping::pause_actuator(const std::string& reason) {
  const auto told = parts_.actuator.pause(reason);
  if (told) return kPaused;
  parts_.running.stop_all();
  return told.error().message;
}

Result<v1::ResumeReply> Stopping::resume(const v1::ResumeRequest& request) {
  // Read first, so that a halt or pause that comes while this waits for disk and actuator is not ended.
  const auto begun = stops_.count();
  if (!disk_writer_.wait_until_done(kDiskTimeout)) {
    return Error{Code::kUnavailable, stop_text() + ": the disk does not answer, so the resume cannot be recorded"};
  }
  if (const auto recorded = parts_.audit.resumes(request.by()); !recorded) {
    return Error{Code::kUnavailable, stop_text() + ": " + AuditTrail::denial(recorded.error())};
  }
  if (const auto told = parts_.actuator.resume(); !told) {
    return Error{told.error().code,
                 stop_text() + ", because da-actuator could not be resumed: " + told.error().message};
  }
  ignore_replies_();
  const auto was_halted = stops_.end_halt(begun);
  if (!was_halted) return stays_halted(was_halted.error());
  if (*was_halted) publish_halt(false, "resumed", request.by());
  const auto was_paused = stops_.end_pause(begun);
  if (!was_paused) return stays_paused(was_paused.error());
  if (*was_paused) {
    v1::PolicyPause fact;
    fact.set_by(request.by());
    parts_.bus.publish(fact, "", "");
  }
  return v1::ResumeReply();
}

// The actuator has been resumed by now.
Error Stopping::stays_halted(const Error& why) {
  const auto halted = stops_.halted();
  if (!halted) return why;
  return with_actuator(why, kHalted, halt_actuator(halted->reason));
}

Error Stopping::stays_paused(const Error& why) {
  const auto paused = stops_.paused();
  if (!paused) return why;
  return with_actuator(why, kPaused, pause_actuator(paused->reason));
}

std::string Stopping::stop_text() const {
  if (stops_.halted()) return "still halted";
  return stops_.paused() ? "still paused" : "not resumed";
}

void Stopping::take_over(const v1::HeartbeatReply& reply) {
  if (reply.halted() && !stops_.halted()) engage_halt(reply.halt_reason(), kActuator);
  if (reply.has_pause() && stops_.report(reply.pause(), kActuator)) pause_began();
}

void Stopping::publish_halt(bool halted, const std::string& reason, const std::string& by) {
  v1::PolicyHalt fact;
  fact.set_halted(halted);
  fact.set_reason(reason);
  fact.set_by(by);
  parts_.bus.publish(fact, "", "");
}

}  // namespace da::policy
