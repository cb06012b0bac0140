// Finds the application with the keyboard focus: its process, and whether it answers pings. Uses the caller's
// connection and thread. Errors: kUnavailable.
#pragma once

#include <cstdint>
#include <optional>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/windows/window_owner.h"

namespace da::actuator::x11 {

struct FocusOwner {
  bool focused = false;                 // Whether any application has the focus.
  std::optional<xcb_window_t> answers;  // The window that answers _NET_WM_PING (EWMH) for the application.
  std::uint32_t pid = 0;                // 0: unknown.
  friend bool operator==(const FocusOwner&, const FocusOwner&) = default;
};

// The properties that find_focus_owner() reads, on one connection.
struct FocusAtoms {
  static Result<FocusAtoms> of(Connection& connection);

  xcb_atom_t state = XCB_ATOM_NONE;
  xcb_atom_t protocols = XCB_ATOM_NONE;
  xcb_atom_t ping = XCB_ATOM_NONE;
  WindowOwners owners;
};

Result<FocusOwner> find_focus_owner(const Connection& connection, const FocusAtoms& atoms);

}  // namespace da::actuator::x11
