// The areas drawn on the root window and its children (XDamage), without the overlay's own drawing. Uses its owner's
// connection, which must not be the overlay's. The server also sends it an event when there is something to take, and
// may send more when the overlay draws. One thread at a time; the connection must outlive it. Errors: kUnavailable.
#pragma once

#include <xcb/damage.h>
#include <xcb/xfixes.h>

#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/overlay/x11_overlay.h"

namespace da::actuator::x11 {

class DrawnAreas {
 public:
  // kUnimplemented when the server has no DAMAGE or XFIXES extension.
  static Result<DrawnAreas> watch(Connection& connection, X11Overlay& overlay);

  const WatchedDamage& watched() const { return watched_; }
  // The areas drawn since the last call.
  Result<std::vector<Rect>> take();
  bool is_notice(const xcb_generic_event_t& event) const { return event_type(event) == notice_; }

 private:
  explicit DrawnAreas(Connection& connection) : connection_(&connection) {}

  Connection* connection_;
  WatchedDamage watched_;
  std::uint32_t taken_ = 0;  // A region of the server that receives the damage.
  std::uint8_t notice_ = 0;  // The type of the server's event.
};

// Whether the server reports all drawing. A driver that gives programs direct access to the graphics card may draw
// without a report, so only servers without such access count.
Result<bool> reports_all_drawing(const Connection& connection);

}  // namespace da::actuator::x11
