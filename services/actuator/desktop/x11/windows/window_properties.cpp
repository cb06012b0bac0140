#include "services/actuator/desktop/x11/windows/window_properties.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "lib/base/text.h"
#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {
namespace {

// GTK gives the input of a process to its modal dialog, whatever its owner is (gtk_grab_add). Windows in groups of
// their own (gtk_window_group_add_window) are free, but nothing outside of the process tells that. Qt, which may load
// GTK for its looks, keeps the input from the owners only, or marks the dialog as one without an owner.
bool modal_means_whole_program(std::uint32_t pid) {
  if (pid == 0) return false;
  const std::string maps = content_of("/proc/" + std::to_string(pid) + "/maps");
  const auto loaded = [&](std::string_view library) { return maps.find(library) != std::string::npos; };
  const bool gtk = loaded("/libgtk-x11-2.0.so") || loaded("/libgtk-3.so") || loaded("/libgtk-4.so");
  return gtk && !loaded("/libQt5Core.so") && !loaded("/libQt6Core.so");
}

struct Questions {
  xcb_get_property_cookie_t net_name, name, state, type, extents, shadow, owner, startup_id, user_time;
  xcb_get_window_attributes_cookie_t attributes;
  xcb_get_geometry_cookie_t geometry;
  xcb_translate_coordinates_cookie_t position;
  OwnerQuestion process;
};

Questions ask_about(const Connection& x, const WindowAtoms& atoms, const WindowOwners& owners, xcb_window_t window) {
  return {x.ask_property(window, atoms.net_wm_name),
          x.ask_property(window, XCB_ATOM_WM_NAME),
          x.ask_property(window, atoms.net_wm_state),
          x.ask_property(window, atoms.net_wm_window_type),
          x.ask_property(window, atoms.net_frame_extents),
          x.ask_property(window, atoms.gtk_frame_extents),
          x.ask_property(window, XCB_ATOM_WM_TRANSIENT_FOR),
          x.ask_property(window, atoms.net_startup_id),
          x.ask_property(window, atoms.net_wm_user_time),
          xcb_get_window_attributes(x.get(), window),
          xcb_get_geometry(x.get(), window),
          xcb_translate_coordinates(x.get(), window, x.root(), 0, 0),
          owners.ask(x, window)};
}

std::string title_of(const Property& net_name, const Property& name) {
  if (!net_name.bytes.empty() && is_valid_utf8(net_name.bytes)) return net_name.bytes;
  return is_valid_utf8(name.bytes) ? name.bytes : utf8_of_latin1(name.bytes);
}

// Moves the left, right, top and bottom sides by a property's values, out (+1) or in (-1).
Rect grown(const Rect& rect, const std::vector<std::uint32_t>& sides, int direction) {
  if (sides.size() != 4) return rect;
  const auto side = [&](std::size_t i) { return direction * static_cast<int>(std::min(sides[i], 1000U)); };
  return {rect.x - side(0), rect.y - side(2), rect.width + side(0) + side(1), rect.height + side(2) + side(3)};
}

bool contains(const std::vector<std::uint32_t>& atoms, xcb_atom_t atom) {
  return std::ranges::find(atoms, atom) != atoms.end();
}

// The first known type counts (EWMH). Without any type, a window with an owner is a dialog.
WindowKind kind_of(const WindowAtoms& atoms, const std::vector<std::uint32_t>& types, bool has_owner) {
  for (const xcb_atom_t type : types) {
    if (type == atoms.type_splash) return WindowKind::kSplash;
    if (type == atoms.type_dialog) return WindowKind::kDialog;
    for (const xcb_atom_t popup : {atoms.type_tooltip, atoms.type_notification, atoms.type_menu, atoms.type_popup_menu,
                                   atoms.type_dropdown_menu}) {
      if (type == popup) return WindowKind::kPopup;
    }
  }
  return types.empty() && has_owner ? WindowKind::kDialog : WindowKind::kMain;
}

// Some window managers do not tell the extents of their frames (_NET_FRAME_EXTENTS). Empty: there is no frame.
Rect outermost_frame(Connection& x, xcb_window_t window) {
  constexpr int kMostFrames = 8;
  xcb_window_t frame = window;
  for (int i = 0; i < kMostFrames; ++i) {
    const auto tree = x.reply(xcb_query_tree_reply, xcb_query_tree(x.get(), frame), "find a window's frame");
    if (!tree) return {};
    if ((*tree)->parent == XCB_NONE || (*tree)->parent == x.root()) break;
    frame = (*tree)->parent;
  }
  if (frame == window) return {};
  const auto geometry = x.reply(xcb_get_geometry_reply, xcb_get_geometry(x.get(), frame), "measure a frame");
  if (!geometry) return {};
  return {(*geometry)->x, (*geometry)->y, (*geometry)->width, (*geometry)->height};
}

std::optional<DescribedWindow> describe(Connection& x, const WindowAtoms& atoms, xcb_window_t window,
                                        const Questions& asked) {
  const Property net_name = x.take_property(asked.net_name);
  const Property name = x.take_property(asked.name);
  const auto state = x.take_property(asked.state).words();
  const auto type = x.take_property(asked.type).words();
  const auto extents = x.take_property(asked.extents).words();
  const auto shadow = x.take_property(asked.shadow).words();
  const auto owner = x.take_property(asked.owner).word();
  const Property startup_id = x.take_property(asked.startup_id);
  const auto user_time = x.take_property(asked.user_time).word();
  const auto attributes = x.reply(xcb_get_window_attributes_reply, asked.attributes, "look at a window");
  const auto geometry = x.reply(xcb_get_geometry_reply, asked.geometry, "measure a window");
  const auto position = x.reply(xcb_translate_coordinates_reply, asked.position, "find a window's place");
  const WindowOwner process = WindowOwners::take(x, asked.process);
  if (!attributes || !geometry || !position) return std::nullopt;
  DescribedWindow found;
  found.window = window;
  found.surface = {(*position)->dst_x, (*position)->dst_y, (*geometry)->width, (*geometry)->height};
  found.client = grown(found.surface, shadow, -1);
  found.application = !contains(type, atoms.type_desktop) && !contains(type, atoms.type_dock);
  found.info.id = window_id(window);
  found.info.title = title_of(net_name, name);
  found.info.pid = process.pid;
  found.info.executable = executable_of(found.info.pid);
  found.info.process_start = start_of(found.info.pid);
  found.info.bounds = grown(found.client, extents, +1);
  found.info.minimized = contains(state, atoms.net_wm_state_hidden);
  found.info.kind = kind_of(atoms, type, owner.value_or(XCB_NONE) != XCB_NONE);
  found.info.launch_token = startup_id.bytes;
  found.info.input_time = user_time;
  found.owner = owner.value_or(XCB_NONE);
  found.modal = contains(state, atoms.net_wm_state_modal);
  found.modal_for_program = found.modal && modal_means_whole_program(found.info.pid);
  found.override_redirect = (*attributes)->override_redirect != 0;
  if (extents.size() != 4 && !found.override_redirect) found.frame = outermost_frame(x, window);
  found.only_shows = std::ranges::any_of(type, [&](xcb_atom_t each) {
    return each == atoms.type_tooltip || each == atoms.type_notification || each == atoms.type_dnd;
  });
  found.info.mapped = (*attributes)->map_state == XCB_MAP_STATE_VIEWABLE;
  return found;
}

}  // namespace

Result<WindowAtoms> WindowAtoms::intern(Connection& connection) {
  WindowAtoms atoms{};
  const std::array<std::pair<std::string_view, xcb_atom_t*>, 26> wanted{{
      {"_NET_WM_NAME", &atoms.net_wm_name},
      {"_NET_WM_STATE", &atoms.net_wm_state},
      {"_NET_WM_STATE_HIDDEN", &atoms.net_wm_state_hidden},
      {"_NET_WM_WINDOW_TYPE", &atoms.net_wm_window_type},
      {"_NET_WM_WINDOW_TYPE_DESKTOP", &atoms.type_desktop},
      {"_NET_WM_WINDOW_TYPE_DOCK", &atoms.type_dock},
      {"_NET_FRAME_EXTENTS", &atoms.net_frame_extents},
      {"_GTK_FRAME_EXTENTS", &atoms.gtk_frame_extents},
      {"_NET_CLIENT_LIST", &atoms.net_client_list},
      {"_NET_CLIENT_LIST_STACKING", &atoms.net_client_list_stacking},
      {"_NET_ACTIVE_WINDOW", &atoms.net_active_window},
      {"_NET_CLOSE_WINDOW", &atoms.net_close_window},
      {"_NET_SUPPORTING_WM_CHECK", &atoms.net_supporting_wm_check},
      {"WM_PROTOCOLS", &atoms.wm_protocols},
      {"WM_DELETE_WINDOW", &atoms.wm_delete_window},
      {"_NET_STARTUP_ID", &atoms.net_startup_id},
      {"_NET_WM_USER_TIME", &atoms.net_wm_user_time},
      {"_NET_WM_WINDOW_TYPE_DIALOG", &atoms.type_dialog},
      {"_NET_WM_WINDOW_TYPE_SPLASH", &atoms.type_splash},
      {"_NET_WM_WINDOW_TYPE_TOOLTIP", &atoms.type_tooltip},
      {"_NET_WM_WINDOW_TYPE_NOTIFICATION", &atoms.type_notification},
      {"_NET_WM_WINDOW_TYPE_MENU", &atoms.type_menu},
      {"_NET_WM_WINDOW_TYPE_POPUP_MENU", &atoms.type_popup_menu},
      {"_NET_WM_WINDOW_TYPE_DROPDOWN_MENU", &atoms.type_dropdown_menu},
      {"_NET_WM_WINDOW_TYPE_DND", &atoms.type_dnd},
      {"_NET_WM_STATE_MODAL", &atoms.net_wm_state_modal},
  }};
  for (const auto& [name, place] : wanted) {
    ASSIGN_OR_RETURN(*place, connection.atom(name));
  }
  return atoms;
}

std::string window_id(xcb_window_t window) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), window, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

std::optional<xcb_window_t> window_of_id(std::string_view id) {
  if (!id.starts_with("0x")) return std::nullopt;
  xcb_window_t window = 0;
  const auto parsed = std::from_chars(id.data() + 2, id.data() + id.size(), window, 16);
  if (parsed.ec != std::errc() || parsed.ptr != id.data() + id.size()) return std::nullopt;
  return window;
}

const DescribedWindow* owner_among(const DescribedWindow& unmanaged, std::span<const DescribedWindow> windows) {
  if (unmanaged.info.pid == 0) return nullptr;
  const auto owner = std::ranges::find(windows, unmanaged.owner, &DescribedWindow::window);
  return owner != windows.end() && owner->info.pid == unmanaged.info.pid ? &*owner : nullptr;
}

std::vector<DescribedWindow> describe_windows(Connection& connection, const WindowAtoms& atoms,
                                              const WindowOwners& owners, std::span<const xcb_window_t> windows) {
  std::vector<Questions> asked;
  asked.reserve(windows.size());
  for (const xcb_window_t window : windows) asked.push_back(ask_about(connection, atoms, owners, window));
  std::vector<DescribedWindow> found;
  for (std::size_t i = 0; i < windows.size(); ++i)
    if (auto window = describe(connection, atoms, windows[i], asked[i])) found.push_back(std::move(*window));
  return found;
}

}  // namespace da::actuator::x11
