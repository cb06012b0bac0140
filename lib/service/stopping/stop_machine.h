// What stops actions, as a pure state machine. Policy and actuator each have one (stop_latch.h), and tell
// each other what they stop for. This is the one order of precedence, strongest first:
//
//   a halt, which only a resume ends and which survives restarts
//   a pause, which only a resume ends: a session without input, then a console, then a person at the desktop
//   a policy without heartbeats, which ends by itself
//
// There is one pause at a time, the strongest. Not thread-safe; the owner guards it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "da/v1/outcome.pb.h"
#include "da/v1/pause.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::service {

// After this long without a heartbeat of the policy, the actuator stops acting.
constexpr Milliseconds kLongestSilence{2'000};

struct Stop {
  v1::Outcome::Code code = v1::Outcome::CODE_UNSPECIFIED;  // Steps are refused with it.
  v1::Pause::Cause cause = v1::Pause::CAUSE_UNSPECIFIED;   // Unspecified: a halt.
  std::string reason;
  std::string by;  // A person or a service; may be empty.
};

// Whether steps are refused with the code during a pause that a person must end.
bool is_pause(v1::Outcome::Code code);
// What keeps input from the session: "the session is locked". Empty for other causes.
std::string_view session_obstacle(v1::Pause::Cause cause);

// "halted: smoke, by ada", "paused: lunch, by ada", "the session is locked, by da-actuator". Escaped.
std::string in_words(const Stop& stop);
// Words for `status`: "no", "yes: smoke, by ada", "yes: the session is locked, by da-actuator". Escaped.
std::string in_status(const std::optional<Stop>& stop);
// Copies a pause's cause and reason.
v1::Pause to_proto(const Stop& pause);

class StopMachine {
 public:
  // How often it was stopped. A resume takes time; it reads the count when it begins, and ends nothing that came later.
  struct Count {
    std::uint64_t halts = 0;
    std::uint64_t pauses = 0;
  };

  void halt(std::string reason, std::string by);
  // A decision to pause. It replaces pauses of its own rank and below, and returns whether it is the current pause now.
  bool pause(const v1::Pause& pause, std::string by);
  // News of a pause, which may be known. It replaces only weaker pauses; returns as above. Silence is no pause.
  bool report(const v1::Pause& pause, std::string by);

  Count count() const { return count_; }
  // Return whether there was one. kAborted if a newer one began; it stays.
  Result<bool> end_halt(const Count& begun);
  Result<bool> end_pause(const Count& begun);

  std::optional<Stop> halted() const { return halted_; }
  std::optional<Stop> paused(bool policy_is_silent = false) const;
  // The strongest; nullopt: nothing stops actions.
  std::optional<Stop> current(bool policy_is_silent = false) const;

 private:
  std::optional<Stop> halted_;
  std::optional<Stop> paused_;
  Count count_;
};

}  // namespace da::service
