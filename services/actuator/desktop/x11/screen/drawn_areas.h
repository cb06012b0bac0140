// The areas drawn on the root window and its children, by XDamage. Uses its owner's connection, to which the server
// also sends an event whenever there is something to take. One thread at a time; the connection must outlive it.
#pragma once

#include <xcb/damage.h>
#include <xcb/xfixes.h>

#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

class DrawnAreas {
 public:
  // kUnimplemented when the server has no DAMAGE or XFIXES extension.
  static Result<DrawnAreas> watch(Connection& connection);

  // The areas drawn since the last request. Two steps, so that a capture in between takes no further round trip: it
  // shows at least these areas.
  xcb_xfixes_fetch_region_cookie_t request();
  Result<std::vector<Rect>> receive(xcb_xfixes_fetch_region_cookie_t request);
  Result<std::vector<Rect>> take() { return receive(request()); }

  // The type of the server's event.
  std::uint8_t event() const { return event_; }

 private:
  DrawnAreas(Connection& connection, std::uint32_t damage, std::uint32_t region, std::uint8_t event)
      : connection_(&connection), damage_(damage), region_(region), event_(event) {}

  Connection* connection_;
  std::uint32_t damage_;
  std::uint32_t region_;  // A region of the server that receives the damage.
  std::uint8_t event_;
};

// Whether the server reports all drawing. A driver that gives programs direct access to the graphics card may draw
// without a report, so only servers without such access count.
Result<bool> reports_all_drawing(const Connection& connection);

}  // namespace da::actuator::x11
