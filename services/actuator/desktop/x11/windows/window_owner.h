// Finds the process that owns a window, by the client's socket as the X server reports it (X-Resource 1.2). A program
// can set any pid in _NET_WM_PID, so a contradicting one makes the owner unknown. Uses the caller's connection and
// thread. Nothing is cached, because a new client may get the ids of an old one.
#pragma once

#include <xcb/res.h>

#include <cstdint>
#include <optional>

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

// A request under way.
struct OwnerQuestion {
  xcb_get_property_cookie_t claimed{};
  std::optional<xcb_res_query_client_ids_cookie_t> process;  // Unset when the server does not know pids.
};

struct WindowOwner {
  bool claims = false;    // Whether the window has a _NET_WM_PID.
  std::uint32_t pid = 0;  // 0: unknown.
};

class WindowOwners {
 public:
  // Asks the server whether it knows pids. Errors: kUnavailable.
  static Result<WindowOwners> open(Connection& connection);

  // Two steps, so that requests for many windows take one round trip.
  OwnerQuestion ask(const Connection& connection, xcb_window_t window) const;
  static WindowOwner take(const Connection& connection, const OwnerQuestion& question);

 private:
  xcb_atom_t net_wm_pid_ = XCB_ATOM_NONE;
  bool server_knows_pids_ = false;
};

}  // namespace da::actuator::x11
