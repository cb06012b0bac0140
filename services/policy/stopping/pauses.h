// The pause of the policy: begun by a person at a console, or taken over from the actuator. It is only in memory, and
// ends when a person resumes; a halt (lib/service/halt_latch.h) is stronger and survives restarts. Any thread.
//
// There is one pause at a time, the most important one (lib/contract/pause_order.h). An actuator that only lacks
// heartbeats is not a pause.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "da/v1/pause.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

struct Paused {
  v1::Pause pause;
  std::string by;
};

class Pauses {
 public:
  // A person pauses. True if a pause began, or another pause became the current one.
  bool begin(const std::string& reason, const std::string& by);
  // The actuator reports a pause, possibly repeatedly. True as above.
  bool take_over(const v1::Pause& pause);

  // The number of pauses so far. A resume reads it before it resumes the actuator, and passes it to end().
  std::uint64_t begun() const;
  // Returns whether there was a pause. kAborted if another one began since `begun` was read; that one stays.
  Result<bool> end(std::uint64_t begun);

  std::optional<Paused> current() const;
  // Waits until there is no pause. Returns the current one after the timeout, or if `stop` is requested.
  std::optional<Paused> wait_until_none(Milliseconds at_most, const std::stop_token& stop) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable_any ended_;
  std::optional<Paused> current_;
  std::uint64_t begun_ = 0;
};

// "paused: lunch, by ada"; escaped.
std::string in_words(const Paused& paused);

}  // namespace da::policy
