// Where input goes now, as the system itself tells: which window gets the keys, and which window gets a click at each
// point. Independent of the accessibility tree, so that both can be compared. desktop.h tells about coordinates,
// threads and errors.
//
// Modality is part of WindowInfo (blocked_by). Nothing here changes the desktop.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

// The window that gets the next key.
struct KeyReceiver {
  std::optional<WindowInfo> window;  // nullopt: no window, or it is unknown which.
  // The window took the keyboard without being activated, beside the active window of another program: a launcher.
  bool took_keyboard = false;
  std::string unknown;  // Why the receiver is unknown, for people; empty: it is known.
  std::string focus;    // The system's own name for the state; only still_receives() reads it.
};

// A top-level window and where it takes clicks.
struct ClickArea {
  WindowInfo window;
  // The listed window (Windows::list) to which a click here belongs: itself, or the owner of a menu. Empty: none.
  std::string owner_id;
  bool listed = true;  // False: a menu, a tooltip, a notification, a panel.
  // An open menu that gets each click: one elsewhere only closes it. Menus of Windows pass such a click on.
  bool grabs_clicks = false;
  bool only_shows = false;  // A tooltip or a notification.
  std::vector<Rect> parts;  // Disjoint. Other windows in front may cover them.

  bool contains(Point at) const {
    return std::ranges::any_of(parts, [at](const Rect& part) { return part.contains(at); });
  }
};

class DesktopState {
 public:
  virtual ~DesktopState() = default;
  virtual Result<KeyReceiver> key_receiver() = 0;
  // Whether the next key still goes to the same window. Cheap while nothing has changed: called between chunks of
  // input.
  virtual Result<bool> still_receives(const KeyReceiver& receiver) = 0;
  // All windows that take clicks, front to back. The first one that contains a point gets a click there. `listed`: the
  // result of Windows::list(), just read.
  virtual Result<std::vector<ClickArea>> click_areas(std::span<const WindowInfo> listed) = 0;
  // Whether something gives the keyboard focus to new and clicked windows: false without a window manager.
  virtual Result<bool> manages_focus() = 0;
};

}  // namespace da::actuator
