#include "services/actuator/desktop/x11/windows/window_hits.h"

namespace da::actuator::x11 {
namespace {

Result<xcb_window_t> child_at(Connection& connection, xcb_window_t parent, Point at) {
  const auto asked = xcb_translate_coordinates(connection.get(), connection.root(), parent,
                                               static_cast<std::int16_t>(at.x), static_cast<std::int16_t>(at.y));
  ASSIGN_OR_RETURN(const auto hit, connection.reply(xcb_translate_coordinates_reply, asked, "find a window"));
  return hit->child;
}

}  // namespace

Result<xcb_window_t> root_child_at(Connection& connection, Point at) {
  return child_at(connection, connection.root(), at);
}

Result<xcb_window_t> innermost_window_at(Connection& connection, Point at) {
  ASSIGN_OR_RETURN(xcb_window_t window, root_child_at(connection, at));
  while (window != XCB_NONE) {
    ASSIGN_OR_RETURN(const xcb_window_t child, child_at(connection, window, at));
    if (child == XCB_NONE) break;
    window = child;
  }
  return window;
}

}  // namespace da::actuator::x11
