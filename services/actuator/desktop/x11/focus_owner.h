// Which application has the keyboard focus: the process behind the focused window, and whether it answers pings.
// Uses a connection of its caller, on the caller's thread. Errors: kUnavailable.
#pragma once

#include <cstdint>
#include <optional>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/window_owner.h"

namespace da::actuator::x11 {

struct FocusOwner {
  bool focused = false;                 // Whether the focus is with an application at all.
  std::optional<xcb_window_t> answers;  // The window that answers _NET_WM_PING (EWMH) for the application.
  std::uint32_t pid = 0;                // 0 where unknown.
  friend bool operator==(const FocusOwner&, const FocusOwner&) = default;
};

// The names of the properties that are asked for, on one connection.
struct FocusAtoms {
  static Result<FocusAtoms> of(Connection& connection);

  xcb_atom_t state = XCB_ATOM_NONE;
  xcb_atom_t protocols = XCB_ATOM_NONE;
  xcb_atom_t ping = XCB_ATOM_NONE;
  WindowOwners owners;
};

Result<FocusOwner> find_focus_owner(const Connection& connection, const FocusAtoms& atoms);

}  // namespace da::actuator::x11
