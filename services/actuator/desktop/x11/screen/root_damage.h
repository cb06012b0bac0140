// What was drawn on the root window (XDamage), without the overlay's own drawing. Uses the caller's connection and
// thread. Errors: kUnavailable.
#pragma once

#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/overlay/x11_overlay.h"

namespace da::actuator::x11 {

class RootDamage {
 public:
  // kUnimplemented when the server has no DAMAGE or XFIXES extension.
  static Result<RootDamage> watch(Connection& connection, X11Overlay& overlay);

  // The areas drawn since the last call, in desktop pixels. Until the next call, the server sends at most one notice of
  // new damage, and may send more when the overlay draws.
  Result<std::vector<Rect>> take(Connection& connection) const;
  bool is_notice(const xcb_generic_event_t& event) const { return event_type(event) == notice_; }

 private:
  WatchedDamage watched_;
  std::uint32_t taken_ = 0;  // A region of the server.
  std::uint8_t notice_ = 0;  // The type of the event.
};

}  // namespace da::actuator::x11
