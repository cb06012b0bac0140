// Releases the mouse button and keys that steps hold down, when the desktop stops and after kLongestHold without a
// step. Any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/bus/publisher.h"
#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// A button stays down for this long without a further step.
constexpr Milliseconds kLongestHold{10'000};
// A person's input pauses the task while it acts and for this long afterwards.
constexpr Milliseconds kPersonCountsFor{10'000};

class HeldInput {
 public:
  HeldInput(Desktop& desktop, bus::Publisher& bus, const Clock& clock) : desktop_(desktop), bus_(bus), clock_(clock) {}

  // A step is under way during its lifetime.
  class Step {
   public:
    explicit Step(HeldInput& held) : held_(held) { held_.count(1); }
    ~Step() { held_.count(-1); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    HeldInput& held_;
  };

  // Whether a step runs, or ran within kPersonCountsFor.
  bool acts_or_has_acted() const;
  // Releases what is held, and publishes that, unless the outcome of a step that runs will say so.
  void release(const std::string& why);
  // Call it several times a second. `stopped`: the desktop must not be acted on now.
  void check(bool stopped);

 private:
  void count(int change);

  Desktop& desktop_;
  bus::Publisher& bus_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  int running_ = 0;  // Steps.
  std::optional<MonoTime> last_step_;
};

}  // namespace da::actuator
