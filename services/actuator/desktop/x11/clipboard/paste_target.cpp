#include "services/actuator/desktop/x11/clipboard/paste_target.h"

#include <filesystem>

#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {
namespace {

std::uint32_t client_of(const Connection& connection, xcb_window_t window) {
  return window & ~xcb_get_setup(connection.get())->resource_id_mask;
}

bool is_of_wine(std::uint32_t pid) {
  return std::filesystem::path(executable_of(pid)).filename().string().starts_with("wine");
}

}  // namespace

Result<PasteTarget> PasteTarget::with_focus(Connection& connection, const WindowOwners& owners) {
  const auto asked = xcb_get_input_focus(connection.get());
  ASSIGN_OR_RETURN(const auto focused,
                   connection.reply(xcb_get_input_focus_reply, asked, "find the window that a paste is meant for"));
  xcb_window_t window = focused->focus;
  // The keys go to the window under the pointer when there is no window manager.
  if (window == XCB_INPUT_FOCUS_POINTER_ROOT || window == connection.root()) {
    const auto ask_pointer = xcb_query_pointer(connection.get(), connection.root());
    ASSIGN_OR_RETURN(const auto pointer,
                     connection.reply(xcb_query_pointer_reply, ask_pointer, "find the window under the pointer"));
    window = pointer->child;
  }
  if (window == XCB_NONE) {
    return Error{Code::kUnavailable, "no window has the keyboard focus: none would take the text"};
  }
  const WindowOwner owner = WindowOwners::take(connection, owners.ask(connection, window));
  return PasteTarget(client_of(connection, window), owner.pid);
}

bool PasteTarget::owns(const Connection& connection, const WindowOwners& owners, xcb_window_t window) const {
  if (client_of(connection, window) == client_) return true;
  const std::uint32_t pid = WindowOwners::take(connection, owners.ask(connection, window)).pid;
  if (pid == 0 || pid_ == 0) return false;
  return pid == pid_ || (is_of_wine(pid) && is_of_wine(pid_)) || descends_from(pid, pid_);
}

}  // namespace da::actuator::x11
