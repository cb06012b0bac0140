// Halts, pauses and resumes the policy and the actuator.
//
// Halt: takes effect first; then it withdraws the open questions and halts the actuator, and cancels a step that still
// runs after a grace period. It does not wait for the disk: latch and audit log are written in the background.
// Pause: like a halt, but questions stay open, and a running step is only cancelled if the actuator cannot be reached.
// A step that is approved during a pause is refused as paused, so that people are asked again about what they see then.
// Resume: ends both. It resumes the actuator first, and stays halted or paused if that fails. A halt or pause that
// comes during a resume stays, and the actuator is stopped again. The replies to heartbeats tell a halt or pause of the
// actuator, which the policy takes over.
//
// The constructor's references must outlive it. Any thread.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "lib/bus/publisher.h"
#include "lib/service/stopping/stop_latch.h"
#include "services/policy/approval/approvals.h"
#include "services/policy/audit/trail.h"
#include "services/policy/grant/actuator.h"
#include "services/policy/grant/running_steps.h"
#include "services/policy/stopping/background_work.h"

namespace da::policy {

class Stopping {
 public:
  // Whom a halt withdraws questions from, and which steps it stops.
  struct Parts {
    Actuator& actuator;
    Approvals& approvals;
    RunningSteps& running;
    AuditTrail& audit;
    bus::Publisher& bus;
    const Clock& clock;
  };
  // `ignore_replies`: makes the heartbeats in flight count for nothing, because they tell the state before a resume.
  Stopping(service::StopLatch stops, const Parts& parts, std::function<void()> ignore_replies);

  // The state alone: halted, paused, and waits for them.
  service::StopLatch& state() { return stops_; }
  const service::StopLatch& state() const { return stops_; }

  // An error if the halt, though in force, could not be latched on disk in time.
  Result<v1::HaltReply> halt(const v1::HaltRequest& request);
  // Does the same, but does not wait for the actuator, because a flood may have ended the connection to it. A thread
  // tells the actuator.
  Result<void> halt_alone(const v1::HaltRequest& request);
  // Halts on behalf of a service; does not wait for the disk.
  void halt_by(const std::string& service, const std::string& reason);
  v1::PauseReply pause(const v1::PauseRequest& request);
  // An error if it cannot be recorded in the audit log, or if the actuator cannot be resumed.
  Result<v1::ResumeReply> resume(const v1::ResumeRequest& request);
  void take_over(const v1::HeartbeatReply& reply);

 private:
  // Halts the policy itself; the disk is written in the background.
  void engage_halt(const std::string& reason, const std::string& by);
  Result<void> await_latch();
  // These two return the actuator's state, or the error of stopping it.
  std::string halt_actuator(const std::string& reason);
  std::string pause_actuator(const std::string& reason);
  void publish_halt(bool halted, const std::string& reason, const std::string& by);
  void pause_began();
  std::string stop_text() const;
  // Stop the actuator again if a halt or pause is still in force, such as one during the resume. Return the error.
  Error stays_halted(const Error& why);
  Error stays_paused(const Error& why);

  service::StopLatch stops_;
  const Parts parts_;
  const std::function<void()> ignore_replies_;
  std::mutex latch_mutex_;
  Result<void> latched_;  // Whether the last halt was latched on disk.
  // Last: their work uses the other members.
  BackgroundWork disk_writer_;
  BackgroundWork actuator_caller_;
};

}  // namespace da::policy
