#include "services/actuator/desktop/x11/windows/window_owner.h"

#include <unistd.h>

#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {
namespace {

constexpr std::uint32_t kMajor = 1;
constexpr std::uint32_t kMinor = 2;  // First version with QueryClientIds.

// Any resource id of a client identifies the client.
xcb_res_query_client_ids_cookie_t ask_process(const Connection& connection, std::uint32_t id) {
  const xcb_res_client_id_spec_t spec{id, XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID};
  return xcb_res_query_client_ids(connection.get(), 1, &spec);
}

// Returns 0 for a client on another host.
std::uint32_t take_process(const Connection& connection, xcb_res_query_client_ids_cookie_t cookie) {
  const auto reply = connection.reply(xcb_res_query_client_ids_reply, cookie, "ask whose process a window is");
  if (!reply) return 0;
  auto ids = xcb_res_query_client_ids_ids_iterator(reply->get());
  for (; ids.rem > 0; xcb_res_client_id_value_next(&ids)) {
    const bool is_process = (ids.data->spec.mask & XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID) != 0;
    if (is_process && xcb_res_client_id_value_value_length(ids.data) == 1)
      return *xcb_res_client_id_value_value(ids.data);
  }
  return 0;
}

}  // namespace

// Checks the pid that the server reports for this process: in another PID namespace or behind a tunnel it is wrong.
Result<WindowOwners> WindowOwners::open(Connection& connection) {
  WindowOwners owners;
  ASSIGN_OR_RETURN(owners.net_wm_pid_, connection.atom("_NET_WM_PID"));
  if (connection.extension(xcb_res_id) == nullptr) return owners;
  const auto version =
      connection.reply(xcb_res_query_version_reply, xcb_res_query_version(connection.get(), kMajor, kMinor),
                       "ask the version of X-Resource");
  RETURN_IF_ERROR(connection.alive());
  if (!version || (*version)->server_major != kMajor || (*version)->server_minor < kMinor) return owners;
  const std::uint32_t own_id = xcb_get_setup(connection.get())->resource_id_base;
  const std::uint32_t own_pid = take_process(connection, ask_process(connection, own_id));
  RETURN_IF_ERROR(connection.alive());
  owners.server_knows_pids_ = own_pid == static_cast<std::uint32_t>(::getpid());
  return owners;
}

OwnerQuestion WindowOwners::ask(const Connection& connection, xcb_window_t window) const {
  OwnerQuestion question{connection.ask_property(window, net_wm_pid_), std::nullopt};
  if (server_knows_pids_) question.process = ask_process(connection, window);
  return question;
}

WindowOwner WindowOwners::take(const Connection& connection, const OwnerQuestion& question) {
  const Property claimed = connection.take_property(question.claimed);
  WindowOwner owner{.claims = claimed.type != XCB_ATOM_NONE};
  const std::uint32_t pid = question.process ? take_process(connection, *question.process) : 0;
  // A sandboxed program claims its pid in its own PID namespace.
  if (!owner.claims || is_known_as(pid, claimed.word().value_or(0))) owner.pid = pid;
  return owner;
}

}  // namespace da::actuator::x11
