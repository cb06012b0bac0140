// Names what gets a press of a mouse button at a point: the text in WindowInfo.surface on X11, such as "4194310 of
// 8388615" or "4194310 of 8388615, grabbed".
#pragma once

#include <xcb/xproto.h>

#include <optional>
#include <string>
#include <string_view>

namespace da::actuator::x11 {

struct PressSurface {
  xcb_window_t window = XCB_NONE;  // A child of the root: the frame of a window, or a window without one.
  xcb_window_t client = XCB_NONE;  // The program's own window: inside of the frame, or the same.
  bool grabbed = false;            // A program has grabbed the pointer, as an open menu does.

  std::string text() const;
  static std::optional<PressSurface> parse(std::string_view text);  // nullopt: it is no such text.

  // Whether the program that owns `client` has created `other` by the same connection. `resource_mask`: of the setup.
  bool is_of_same_program(xcb_window_t other, std::uint32_t resource_mask) const {
    return (other & ~resource_mask) == (client & ~resource_mask);
  }
};

}  // namespace da::actuator::x11
