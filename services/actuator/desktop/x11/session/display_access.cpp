#include "services/actuator/desktop/x11/session/display_access.h"

#include <xcb/xcb.h>

#include <cstdlib>
#include <memory>

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {
namespace {

struct Disconnect {
  void operator()(xcb_connection_t* connection) const { xcb_disconnect(connection); }
};
using Client = std::unique_ptr<xcb_connection_t, Disconnect>;

const char* name_of(const std::string& display) { return display.empty() ? nullptr : display.c_str(); }

// Whether the server lists users or groups by name ("server interpreted" addresses).
bool names_users(const xcb_list_hosts_reply_t& hosts) {
  for (auto host = xcb_list_hosts_hosts_iterator(&hosts); host.rem > 0; xcb_host_next(&host)) {
    if (host.data->family == XCB_FAMILY_SERVER_INTERPRETED) return true;
  }
  return false;
}

}  // namespace

Result<DisplayAccess> display_access(const std::string& display) {
  xcb_auth_info_t none{};
  int screen = 0;
  const Client client(xcb_connect_to_display_with_auth_info(name_of(display), &none, &screen));
  if (xcb_connection_has_error(client.get()) != 0) {
    const Client with_key(xcb_connect(name_of(display), &screen));
    if (xcb_connection_has_error(with_key.get()) == 0) return DisplayAccess::kWithKey;
    return Error{Code::kUnavailable, "the X display does not answer"};
  }
  const std::unique_ptr<xcb_list_hosts_reply_t, FreeDeleter> hosts(
      xcb_list_hosts_reply(client.get(), xcb_list_hosts(client.get()), nullptr));
  if (!hosts) return Error{Code::kUnavailable, "the X display does not tell its access list"};
  if (hosts->mode == XCB_ACCESS_CONTROL_DISABLE) return DisplayAccess::kAnybody;
  return names_users(*hosts) ? DisplayAccess::kWithKey : DisplayAccess::kAnyLocalUser;
}

}  // namespace da::actuator::x11
