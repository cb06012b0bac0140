// Recognizes the application that a paste is meant for, by the windows with which it asks for the clipboard's content.
//
// The X server knows the client, and so the process, of each window (X-Resource). A clipboard manager is another
// process. An application may fetch by a process that it has started, and Wine's programs fetch by a process of Wine.
// Uses the caller's connection and thread.
#pragma once

#include <cstdint>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/windows/window_owner.h"

namespace da::actuator::x11 {

class PasteTarget {
 public:
  // The application with the keyboard focus. Errors: kUnavailable (also: no window has it).
  static Result<PasteTarget> with_focus(Connection& connection, const WindowOwners& owners);

  // Whether the window belongs to that application.
  bool owns(const Connection& connection, const WindowOwners& owners, xcb_window_t window) const;

 private:
  PasteTarget(std::uint32_t client, std::uint32_t pid) : client_(client), pid_(pid) {}

  std::uint32_t client_;  // The part of window ids that all windows of a client share.
  std::uint32_t pid_;     // 0: unknown, as for a program on another host.
};

}  // namespace da::actuator::x11
