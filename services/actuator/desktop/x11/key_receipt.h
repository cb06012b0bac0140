// Tells when the application with the keyboard focus has read every key that was sent to it so far.
//
// Means: _NET_WM_PING (EWMH). The ping stands in the application's event queue behind the keys, so its answer proves that
// they were read. An application without it (xterm) is known only by its drawing: once the screen rests, it has read.
// Uses the connection of Input; one thread.
// Errors: kDeadlineExceeded (no answer), kUnavailable, kCancelled (the checkpoint's).
#pragma once

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/damage_watch.h"

namespace da::actuator::x11 {

class KeyReceipt {
 public:
  static Result<KeyReceipt> open(Connection& connection, DamageWatch& damage);

  // Whether the focused window answers pings.
  Result<bool> can_ask();
  // Waits for the answer, or where it cannot be asked for a screen at rest.
  Result<void> await(MonoTime deadline, const Checkpoint& checkpoint);

 private:
  KeyReceipt(Connection& connection, DamageWatch& damage) : connection_(&connection), damage_(&damage) {}
  Result<std::optional<xcb_window_t>> window_to_ask();
  Result<void> await_answer(xcb_window_t window, MonoTime deadline, const Checkpoint& checkpoint);
  Result<void> await_rest(MonoTime deadline, const Checkpoint& checkpoint);

  Connection* connection_;
  DamageWatch* damage_;
  xcb_atom_t protocols_ = 0;
  xcb_atom_t ping_ = 0;
  std::uint32_t last_ping_ = 0;
};

}  // namespace da::actuator::x11
