// Waits until the application with the keyboard focus has read all keys sent so far, and has acted on them.
//
// - With _NET_WM_PING (EWMH): the ping is behind the keys in the application's event queue, so its answer proves that
//   they were read.
// - Without it (xterm): application and X server both sleep, and nothing woke the application around that check. So it
//   waits for new events and has read the old ones.
// - When its process is unknown: the screen is at rest.
//
// The wait goes on while a slow application makes progress: answers to earlier pings, or activity of its process.
// AtspiKeyRelay covers the time between reading and acting. Uses the connection of Input; one thread. Errors:
// kDeadlineExceeded (no answer), kUnavailable, kCancelled (by the checkpoint).
#pragma once

#include "services/actuator/desktop/roles/checkpoint.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/input/atspi_key_relay.h"
#include "services/actuator/desktop/x11/screen/damage_watch.h"
#include "services/actuator/desktop/x11/windows/focus_owner.h"

namespace da::actuator::x11 {

// The longest time between two checkpoints.
inline constexpr Milliseconds kBetweenCheckpoints{10};

struct Patience {
  Milliseconds for_a_sign;  // Longest wait without a sign that the application reads.
  MonoTime limit;
};

class KeyReceipt {
 public:
  static Result<KeyReceipt> open(Connection& connection, DamageWatch& damage, AtspiKeyRelay& relay);

  // Whether a ping or the process can prove that the focused application has read its keys.
  Result<bool> can_prove();
  // The focused application, if can_prove(); else nullopt.
  Result<std::optional<FocusOwner>> provable_owner();
  // Whether the focused application acts on keys some time after reading them, possibly out of order.
  bool acts_later();
  // Sends a ping within a long text without waiting; await() takes its answer as a sign of progress.
  Result<void> mark();
  // Waits for the proof, or without one for a screen at rest.
  Result<void> await(const Patience& patience, const Checkpoint& checkpoint);

 private:
  KeyReceipt(Connection& connection, DamageWatch& damage, AtspiKeyRelay& relay)
      : connection_(&connection), damage_(&damage), relay_(&relay) {}
  std::uint32_t ping(xcb_window_t window);
  MonoTime deadline_from_now(const Patience& patience) const;
  Result<void> await_reading(const FocusOwner& focused, const Patience& patience, const Checkpoint& checkpoint);
  Result<void> await_answer(xcb_window_t window, const Patience& patience, const Checkpoint& checkpoint);
  bool can_watch(std::uint32_t pid) const;
  bool both_sleep(std::uint32_t pid) const;
  Result<void> await_sleep(std::uint32_t pid, const Patience& patience, const Checkpoint& checkpoint);
  Result<void> await_rest(MonoTime deadline, const Checkpoint& checkpoint);

  Connection* connection_;
  DamageWatch* damage_;
  AtspiKeyRelay* relay_;
  FocusAtoms atoms_;
  std::uint32_t server_pid_ = 0;
  std::uint32_t last_ping_ = 0;
};

}  // namespace da::actuator::x11
