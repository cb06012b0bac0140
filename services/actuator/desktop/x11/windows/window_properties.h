// Reads the properties of many windows (ICCCM, EWMH) in a few round trips. Uses the connection of Windows; one thread.
#pragma once

#include <span>
#include <vector>

#include "services/actuator/desktop/roles/windows.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/windows/window_owner.h"

namespace da::actuator::x11 {

struct WindowAtoms {
  xcb_atom_t net_wm_name, net_wm_state, net_wm_state_hidden, net_wm_window_type, type_desktop, type_dock,
      net_frame_extents, gtk_frame_extents, net_client_list, net_client_list_stacking, net_active_window,
      net_close_window, net_supporting_wm_check, wm_protocols, wm_delete_window, net_startup_id, net_wm_user_time,
      type_dialog, type_splash, type_tooltip, type_notification, type_menu, type_popup_menu, type_dropdown_menu,
      type_dnd, net_wm_state_modal;
  static Result<WindowAtoms> intern(Connection& connection);
};

// Converts to and from "0x1a0000b".
std::string window_id(xcb_window_t window);
std::optional<xcb_window_t> window_of_id(std::string_view id);

struct DescribedWindow {
  xcb_window_t window = 0;
  WindowInfo info;                 // describe_windows() does not set `focused`.
  Rect client;                     // Excludes the frame and a shadow that the application draws.
  Rect surface;                    // Includes that shadow.
  Rect frame;                      // The window manager's window around it, if it does not tell its extents (i3).
  bool application = true;         // False for a desktop background or a panel.
  xcb_window_t owner = XCB_NONE;   // WM_TRANSIENT_FOR.
  bool modal = false;              // _NET_WM_STATE_MODAL.
  bool modal_for_program = false;  // Modal, and its toolkit keeps the input from all windows of the process.
  bool override_redirect = false;  // The window manager leaves it alone.
  bool only_shows = false;         // A tooltip, a notification or a dragged icon, which never takes the keyboard.
};

// The window that an unmanaged one belongs to: the one that it names, if that is of the same process.
const DescribedWindow* owner_among(const DescribedWindow& unmanaged, std::span<const DescribedWindow> windows);

// Describes the windows that still exist, in the given order.
std::vector<DescribedWindow> describe_windows(Connection& connection, const WindowAtoms& atoms,
                                              const WindowOwners& owners, std::span<const xcb_window_t> windows);

}  // namespace da::actuator::x11
