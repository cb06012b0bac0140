// Why the actuator must not act: a halt, a pause, or a policy that sends no heartbeat. Every action checks this before
// it begins and between chunks of input.
//
// Halt and pause are in the latch; resume() ends both. Silence is detected only after the first heartbeat and ends with
// the next one. Each change is published. Any thread. Never waits for the desktop; only
// remember_halt() and resume() wait for the disk.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/bus/publisher.h"
#include "lib/service/stopping/stop_latch.h"

namespace da::actuator {

class StopState {
 public:
  struct Reason {
    v1::Outcome::Code code;
    std::string message;
  };

  StopState(service::StopLatch& latch, bus::Publisher& bus, const Clock& clock)
      : latch_(latch), bus_(bus), clock_(clock) {}

  // nullopt: the actuator may act.
  std::optional<Reason> stop_reason();
  // Why the desktop must not be shown to any caller: it is halted, or its session is locked or takes no input. Else
  // nullopt.
  std::optional<std::string> hide_reason();

  // Takes effect and is published at once. remember_halt() writes it to disk, so that it survives a restart.
  void halt(const std::string& reason, const std::string& by);
  void remember_halt();
  // May be repeated; replaces only weaker pauses.
  void pause(v1::Pause::Cause cause, const std::string& reason);
  // Ends halt and pause, except those that begin during the call. After an error the rest stays.
  Result<void> resume();
  v1::HeartbeatReply heartbeat();

 private:
  // These two require mutex_.
  bool silent() const;
  void publish_change();

  service::StopLatch& latch_;
  bus::Publisher& bus_;
  const Clock& clock_;
  std::mutex mutex_;
  std::optional<MonoTime> last_heartbeat_;
  v1::Pause::Cause published_ = v1::Pause::CAUSE_UNSPECIFIED;  // Unspecified: not paused.
};

}  // namespace da::actuator
