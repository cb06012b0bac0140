#include "services/actuator/desktop/x11/clipboard/clipboard_watch.h"

#include <xcb/xfixes.h>

namespace da::actuator::x11 {

Result<ClipboardWatch> ClipboardWatch::open(Connection& connection) {
  ASSIGN_OR_RETURN(const auto clipboard, connection.atom("CLIPBOARD"));
  const auto* extension = connection.extension(xcb_xfixes_id);
  if (extension == nullptr)
    return Error{Code::kUnimplemented, "watch the clipboard: the X server has no XFIXES extension"};
  RETURN_IF_ERROR(connection.check(
      xcb_xfixes_select_selection_input_checked(connection.get(), connection.root(), clipboard,
                                                XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER |
                                                    XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY |
                                                    XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE),
      "watch the clipboard"));
  return ClipboardWatch(connection, clipboard,
                        static_cast<std::uint8_t>(extension->first_event + XCB_XFIXES_SELECTION_NOTIFY));
}

void ClipboardWatch::note(const xcb_generic_event_t& event) {
  if (event_type(event) != notice_) return;
  const auto& notice = reinterpret_cast<const xcb_xfixes_selection_notify_event_t&>(event);
  if (notice.selection != clipboard_ || notice.subtype != XCB_XFIXES_SELECTION_EVENT_SET_SELECTION_OWNER) return;
  taken_by_last_ = notice.owner;
}

Result<bool> ClipboardWatch::wait_until_left(xcb_window_t owner, MonoTime deadline) {
  for (;;) {
    ASSIGN_OR_RETURN(const xcb_window_t owner_now, connection_.selection_owner(clipboard_));
    // Events from before the reply have arrived by now.
    while (const EventPtr event = connection_.pending_event()) note(*event);
    if (owner_now != owner) return owner_now == XCB_NONE && taken_by_last_ == owner;
    ASSIGN_OR_RETURN(const EventPtr event, connection_.next_event(deadline));
    if (!event) return false;
    note(*event);
  }
}

}  // namespace da::actuator::x11
