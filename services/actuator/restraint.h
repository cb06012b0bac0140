// Why nothing may be done now: a halt, a pause, or a policy that gives no sign of life. Whatever acts asks before it
// begins and between chunks of input.
//
// A halt outlives restarts (HaltLatch); a pause does not, and ends by resume(); silence ends by itself. The dead man's
// switch counts from the first sign of life on. What begins and ends is published. Any thread; never waits for the
// desktop, and only remember_halt() and resume() for the disk.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/bus/publisher.h"
#include "lib/service/halt_latch.h"

namespace da::actuator {

// Without the policy's heartbeat for this long, nothing is done.
constexpr Milliseconds kLongestSilence{2'000};

class Restraint {
 public:
  struct Reason {
    v1::Outcome::Code code;
    std::string message;  // For people.
  };

  Restraint(service::HaltLatch& halt, bus::Publisher& bus, const Clock& clock)
      : halt_(halt), bus_(bus), clock_(clock) {}

  // nullopt where nothing speaks against acting.
  std::optional<Reason> holds();
  // Why nothing of the desktop is shown to anybody either: it is halted, or its session is locked. Else nullopt.
  std::optional<std::string> hides();

  // In force and told at once. remember_halt() puts it on disk, where it outlives a restart.
  void halt(const std::string& reason, const std::string& by);
  void remember_halt();
  // What paused first stays the cause, but a locked session is the stronger one.
  void pause(v1::Pause::Cause cause, const std::string& reason);
  // Ends halt and pause. An error leaves both.
  Result<void> resume();
  v1::HeartbeatReply heartbeat();

 private:
  // With the mutex held.
  bool silent() const;
  std::optional<v1::Pause> current() const;
  void publish_change();

  service::HaltLatch& halt_;
  bus::Publisher& bus_;
  const Clock& clock_;
  std::mutex mutex_;
  std::optional<v1::Pause> pause_;
  std::optional<MonoTime> last_heartbeat_;
  v1::Pause::Cause published_ = v1::Pause::CAUSE_UNSPECIFIED;  // Unspecified: that it is not paused.
};

}  // namespace da::actuator
