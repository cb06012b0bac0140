// Whose process a window is, by the word of the X server, which takes it from the client's socket (X-Resource 1.2). A
// window's own _NET_WM_PID can name any process, so it only ever takes away: where it contradicts, nothing is known.
// Uses a connection of its caller, on the caller's thread. Nothing is cached: a new client may get an old one's ids.
#pragma once

#include <xcb/res.h>

#include <cstdint>
#include <optional>

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

// A question under way.
struct OwnerQuestion {
  xcb_get_property_cookie_t claimed{};
  std::optional<xcb_res_query_client_ids_cookie_t> process;  // Not asked of a server that cannot tell.
};

struct WindowOwner {
  bool claims = false;    // The window has a _NET_WM_PID, whatever it says.
  std::uint32_t pid = 0;  // 0 where unknown.
};

class WindowOwners {
 public:
  // Asks the server whether it can tell. Errors: kUnavailable.
  static Result<WindowOwners> open(Connection& connection);

  // Two steps, so that questions for many windows travel in one round trip.
  OwnerQuestion ask(const Connection& connection, xcb_window_t window) const;
  static WindowOwner take(const Connection& connection, const OwnerQuestion& question);

 private:
  xcb_atom_t net_wm_pid_ = XCB_ATOM_NONE;
  bool server_tells_ = false;
};

}  // namespace da::actuator::x11
