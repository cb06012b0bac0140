#include "services/actuator/desktop/x11/session/display_claim.h"

#include <unistd.h>
#include <xcb/xfixes.h>

#include <climits>

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = {};
  ::gethostname(name, HOST_NAME_MAX);
  return name;
}

Result<xcb_window_t> create_claim_window(Connection& connection) {
  xcb_connection_t* x = connection.get();
  ASSIGN_OR_RETURN(const auto pid_name, connection.atom("_NET_WM_PID"));
  ASSIGN_OR_RETURN(const xcb_window_t window,
                   connection.create_hidden_window(XCB_WINDOW_CLASS_INPUT_ONLY, 0, 0, "claims the display"));
  const auto pid = static_cast<std::uint32_t>(::getpid());
  const std::string host = host_name();
  xcb_change_property(x, XCB_PROP_MODE_REPLACE, window, pid_name, XCB_ATOM_CARDINAL, 32, 1, &pid);
  xcb_change_property(x, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_CLIENT_MACHINE, XCB_ATOM_STRING, 8,
                      static_cast<std::uint32_t>(host.size()), host.data());
  return window;
}

Error taken_by(Connection& connection, xcb_window_t owner) {
  const auto pid = connection.property(owner, "_NET_WM_PID");
  const auto host = connection.property(owner, "WM_CLIENT_MACHINE");
  const std::string process = pid && pid->word() ? std::to_string(*pid->word()) : "unknown";
  return {Code::kAlreadyExists, "this display already has an actuator, process " + process + " on host " +
                                    (host ? escape_foreign(host->bytes, 100) : "unknown") +
                                    ": end that run first, or use another display"};
}

// The server grab makes check and claim atomic.
Result<xcb_window_t> take_if_free(Connection& connection, xcb_window_t window, xcb_atom_t selection) {
  xcb_connection_t* x = connection.get();
  xcb_grab_server(x);
  auto owner = claim_owner(connection);
  if (owner && *owner == XCB_NONE) {
    xcb_set_selection_owner(x, window, selection, XCB_CURRENT_TIME);
    owner = claim_owner(connection);
  }
  xcb_ungrab_server(x);
  connection.flush();
  return owner;
}

}  // namespace

Result<xcb_window_t> claim_owner(Connection& connection) {
  ASSIGN_OR_RETURN(const auto selection, connection.atom(kClaimSelection));
  return connection.selection_owner(selection);
}

Result<void> watch_claim(Connection& connection) {
  xcb_connection_t* x = connection.get();
  ASSIGN_OR_RETURN(const auto selection, connection.atom(kClaimSelection));
  const auto version = xcb_xfixes_query_version(x, XCB_XFIXES_MAJOR_VERSION, XCB_XFIXES_MINOR_VERSION);
  RETURN_IF_ERROR(connection.reply(xcb_xfixes_query_version_reply, version, "ask the version of XFIXES"));
  return connection.check(
      xcb_xfixes_select_selection_input_checked(x, connection.root(), selection,
                                                XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER |
                                                    XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY |
                                                    XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE),
      "watch the claim of the display");
}

Result<void> claim_display(Connection& connection, MonoTime deadline) {
  ASSIGN_OR_RETURN(const auto selection, connection.atom(kClaimSelection));
  ASSIGN_OR_RETURN(const xcb_window_t window, create_claim_window(connection));
  RETURN_IF_ERROR(watch_claim(connection));
  for (;;) {
    ASSIGN_OR_RETURN(const xcb_window_t owner, take_if_free(connection, window, selection));
    if (owner == window) return ok();
    ASSIGN_OR_RETURN(const EventPtr event, connection.next_event(deadline));
    if (!event) return taken_by(connection, owner);
  }
}

}  // namespace da::actuator::x11
