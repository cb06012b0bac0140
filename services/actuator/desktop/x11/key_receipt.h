// Tells when the application with the keyboard focus has read every key that was sent to it so far, and has acted on
// it.
//
// Means: _NET_WM_PING (EWMH). The ping stands in the application's event queue behind the keys, so its answer proves
// that they were read. An application without it (xterm) is watched from outside: what sleeps, and was not woken while
// the server twice went round all its clients, waits for new events and has read the old ones. Where not even its
// process is known, a screen at rest must do. A reader that is slow is waited for as long as it goes on reading:
// answers to earlier pings, or work that its process does, are signs of it. What lies between reading and acting, the
// accessibility bus tells (AtspiKeyRelay). Uses the connection of Input; one thread.
// Errors: kDeadlineExceeded (no answer), kUnavailable, kCancelled (the checkpoint's).
#pragma once

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/atspi_key_relay.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/damage_watch.h"
#include "services/actuator/desktop/x11/focus_owner.h"

namespace da::actuator::x11 {

// How long to wait: for a sign that the application reads, and in all.
struct Patience {
  Milliseconds for_a_sign;
  MonoTime limit;
};

class KeyReceipt {
 public:
  static Result<KeyReceipt> open(Connection& connection, DamageWatch& damage, AtspiKeyRelay& relay);

  // Whether there is a proof for the focused application, by its answer or its process.
  Result<bool> can_prove();
  // Who would be asked for the proof now: the focused application's window, or its process; nothing where nobody can.
  Result<std::optional<FocusOwner>> asked();
  // Whether the focused application acts on keys only some time after it has read them, and on some of them sooner than
  // on those before.
  bool acts_later();
  // A ping in the middle of a long text, which nobody waits for: its answer is a sign to await().
  Result<void> mark();
  // Waits for the proof, or where there is none for a screen at rest.
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
