#include "services/actuator/desktop/x11/windows/focus_owner.h"

#include <algorithm>

namespace da::actuator::x11 {

Result<FocusAtoms> FocusAtoms::of(Connection& connection) {
  FocusAtoms atoms;
  ASSIGN_OR_RETURN(atoms.state, connection.atom("WM_STATE"));
  ASSIGN_OR_RETURN(atoms.protocols, connection.atom("WM_PROTOCOLS"));
  ASSIGN_OR_RETURN(atoms.ping, connection.atom("_NET_WM_PING"));
  ASSIGN_OR_RETURN(atoms.owners, WindowOwners::open(connection));
  return atoms;
}

// The focused window may be a child of the application's window, so look at its ancestors too. When no application has
// the focus, the root or an unmanaged window of the window manager has it.
Result<FocusOwner> find_focus_owner(const Connection& connection, const FocusAtoms& atoms) {
  xcb_connection_t* x = connection.get();
  ASSIGN_OR_RETURN(const auto focused,
                   connection.reply(xcb_get_input_focus_reply, xcb_get_input_focus(x), "find the keyboard focus"));
  xcb_window_t window = focused->focus;
  FocusOwner found;
  while (window > XCB_INPUT_FOCUS_POINTER_ROOT && window != connection.root() && !found.answers) {
    const auto asked_state = connection.ask_property(window, atoms.state);
    const auto asked_protocols = connection.ask_property(window, atoms.protocols);
    const auto asked_owner = atoms.owners.ask(connection, window);
    const auto asked_tree = xcb_query_tree(x, window);
    const bool managed = connection.take_property(asked_state).type != XCB_ATOM_NONE;
    const auto protocols = connection.take_property(asked_protocols).words();
    const WindowOwner owner = WindowOwners::take(connection, asked_owner);
    const auto tree = connection.reply(xcb_query_tree_reply, asked_tree, "find a window's parent");
    if (std::ranges::find(protocols, atoms.ping) != protocols.end()) found.answers = window;
    const bool of_application = managed || found.answers || owner.claims;
    if (of_application && !found.focused) found.pid = owner.pid;
    found.focused = found.focused || of_application;
    if (!tree) break;
    window = (*tree)->parent;
  }
  RETURN_IF_ERROR(connection.alive());
  return found;
}

}  // namespace da::actuator::x11
