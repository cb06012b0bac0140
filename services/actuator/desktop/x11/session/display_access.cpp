#include "services/actuator/desktop/x11/session/display_access.h"

#include <fcntl.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <cstdlib>
#include <memory>

#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {
namespace {

struct Disconnect {
  void operator()(xcb_connection_t* connection) const { xcb_disconnect(connection); }
};
using Client = std::unique_ptr<xcb_connection_t, Disconnect>;

// libxcb writes to stderr why a server refuses a connection. While one exists, that goes nowhere.
class QuietErrors {
 public:
  QuietErrors() : before_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) {
    const os::UniqueFd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (before_ && nowhere) ::dup2(nowhere.get(), STDERR_FILENO);
  }
  ~QuietErrors() {
    if (before_) ::dup2(before_.get(), STDERR_FILENO);
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  const os::UniqueFd before_;
};

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
  const auto connect_without_key = [&] {
    const QuietErrors quiet;
    return Client(xcb_connect_to_display_with_auth_info(name_of(display), &none, &screen));
  };
  const Client client = connect_without_key();
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
