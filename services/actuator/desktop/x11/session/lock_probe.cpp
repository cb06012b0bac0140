#include "services/actuator/desktop/x11/session/lock_probe.h"

#include <vector>

#include "lib/base/geometry.h"
#include "lib/base/text.h"

namespace da::actuator::x11 {

Result<LockProbe> LockProbe::open(Connection& connection) {
  ASSIGN_OR_RETURN(const auto state, connection.atom("WM_STATE"));
  ASSIGN_OR_RETURN(const xcb_window_t window,
                   connection.create_hidden_window(XCB_WINDOW_CLASS_INPUT_ONLY, XCB_CW_OVERRIDE_REDIRECT, 1,
                                                   "detects keyboard grabs"));
  return LockProbe(connection, window, state);
}

Result<bool> LockProbe::keyboard_is_taken() {
  const auto cookie =
      xcb_grab_keyboard(connection_->get(), 0, window_, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC);
  ASSIGN_OR_RETURN(const auto answer,
                   connection_->reply(xcb_grab_keyboard_reply, cookie, "ask whether the keyboard is grabbed"));
  taken_ = answer->status == XCB_GRAB_STATUS_ALREADY_GRABBED;
  return taken_;
}

// Without a window to confine the pointer to, the server would end the confinement by the present grab.
Result<bool> LockProbe::pointer_is_taken() {
  const auto cookie = xcb_grab_pointer(connection_->get(), 0, window_, 0, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC,
                                       window_, XCB_NONE, XCB_CURRENT_TIME);
  ASSIGN_OR_RETURN(const auto answer,
                   connection_->reply(xcb_grab_pointer_reply, cookie, "ask whether the pointer is grabbed"));
  return answer->status == XCB_GRAB_STATUS_ALREADY_GRABBED;
}

// A window manager sets WM_STATE on each window that it manages (ICCCM 4.1.3.1), which may be a child of its frame.
bool LockProbe::belongs_to_application(xcb_window_t window) const {
  xcb_connection_t* x = connection_->get();
  if (connection_->take_property(connection_->ask_property(window, wm_state_)).type != XCB_ATOM_NONE) return true;
  const auto tree = connection_->reply(xcb_query_tree_reply, xcb_query_tree(x, window), "look into a window");
  if (!tree) return false;
  const xcb_window_t* children = xcb_query_tree_children(tree->get());
  std::vector<xcb_get_property_cookie_t> asked;
  for (int i = 0; i < xcb_query_tree_children_length(tree->get()); ++i) {
    asked.push_back(connection_->ask_property(children[i], wm_state_));
  }
  bool found = false;
  for (const auto cookie : asked) found |= connection_->take_property(cookie).type != XCB_ATOM_NONE;
  return found;
}

std::string LockProbe::name_of(xcb_window_t window) {
  for (const char* property : {"WM_CLASS", "WM_NAME"}) {
    const auto value = connection_->property(window, property);
    if (value && value->format == 8 && !value->bytes.empty()) return escape_foreign(value->bytes.c_str(), 60);
  }
  return "a window over the whole screen";
}

Result<std::optional<std::string>> LockProbe::locker() {
  ASSIGN_OR_RETURN(const bool taken, keyboard_is_taken());
  if (!taken) return std::nullopt;
  xcb_connection_t* x = connection_->get();
  const xcb_window_t root = connection_->root();
  ASSIGN_OR_RETURN(const auto tree, connection_->reply(xcb_query_tree_reply, xcb_query_tree(x, root), "list windows"));
  ASSIGN_OR_RETURN(const auto screen,
                   connection_->reply(xcb_get_geometry_reply, xcb_get_geometry(x, root), "measure the screen"));
  const xcb_window_t* children = xcb_query_tree_children(tree.get());
  for (int i = xcb_query_tree_children_length(tree.get()); i-- > 0;) {
    const auto ask_attributes = xcb_get_window_attributes(x, children[i]);
    const auto ask_geometry = xcb_get_geometry(x, children[i]);
    const auto attributes = connection_->reply(xcb_get_window_attributes_reply, ask_attributes, "look at a window");
    const auto place = connection_->reply(xcb_get_geometry_reply, ask_geometry, "measure a window");
    if (!attributes || !place || (*attributes)->map_state != XCB_MAP_STATE_VIEWABLE) continue;
    if (belongs_to_application(children[i])) return std::nullopt;
    const Rect area{(*place)->x, (*place)->y, (*place)->width, (*place)->height};
    const Rect whole{0, 0, screen->width, screen->height};
    const bool covers = intersection(area, whole) == whole;
    if (covers && (*attributes)->override_redirect != 0) return name_of(children[i]);
  }
  RETURN_IF_ERROR(connection_->alive());
  return std::nullopt;
}

}  // namespace da::actuator::x11
