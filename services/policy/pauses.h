// What pauses the policy: a person at a console, or what the actuator tells of its desktop. It is kept in memory alone,
// and ends when a person resumes; a halt (lib/service/halt_latch.h) is stronger and outlives restarts. Any thread.
//
// There is one pause at a time, the one that people must know of: a locked session counts more than what a console
// said, and that more than a person at the desktop. An actuator that only misses the policy's sign of life is no pause.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "da/v1/outcome.pb.h"
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
  // A person's word. True where the pause began, or is another one now.
  bool begin(const std::string& reason, const std::string& by);
  // What the actuator tells, as often as it likes. True as above.
  bool take_over(const v1::Pause& pause);

  // To be given to end() by whoever resumes, before the actuator is told.
  std::uint64_t begun() const;
  // True where there was one. kAborted where another began since begun() was asked; then that one stays.
  Result<bool> end(std::uint64_t begun);

  std::optional<Paused> current() const;
  // Returns as soon as none is; what is left where this much time is over, or `stop` is requested.
  std::optional<Paused> wait_until_none(Milliseconds at_most, const std::stop_token& stop) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable_any ended_;
  std::optional<Paused> current_;
  std::uint64_t begun_ = 0;
};

// "paused: lunch, by ada"; escaped.
std::string in_words(const Paused& paused);
// What a step is refused with while it is so.
v1::Outcome::Code refusal_code(const v1::Pause& pause);

}  // namespace da::policy
