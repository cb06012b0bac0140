// Where the X server sends input: the input focus, keyboard grabs, and the stacking order with the windows' shapes.
//
// The server does not tell who has grabbed the keyboard. A program that grabs it shows an unmanaged window (a menu, a
// launcher), so the process of these windows is taken for the holder; if that leaves a doubt, the receiver is unknown.
// A grab is detected as LockProbe does it, without side effect. Owns its connection. One thread at a time, together
// with X11Windows. Errors: kUnavailable.
#pragma once

#include <memory>

#include "services/actuator/desktop/roles/desktop_state.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/session/lock_probe.h"
#include "services/actuator/desktop/x11/windows/window_shape.h"
#include "services/actuator/desktop/x11/windows/x11_windows.h"

namespace da::actuator::x11 {

class X11DesktopState final : public DesktopState {
 public:
  // `windows` must outlive it.
  static Result<std::unique_ptr<X11DesktopState>> open(const std::string& display, X11Windows& windows,
                                                       const Clock& clock);

  Result<KeyReceiver> key_receiver() override;
  Result<bool> still_receives(const KeyReceiver& receiver) override;
  Result<std::vector<ClickArea>> click_areas(std::span<const WindowInfo> listed) override;
  Result<bool> manages_focus() override { return windows_.managed(); }

 private:
  struct Keyboard {
    xcb_window_t focus = XCB_NONE;
    bool grabbed = false;
  };
  // The children of the root that show, front to back.
  struct Stack {
    std::vector<xcb_window_t> windows;
    std::vector<ShapeQuestion> shapes;
  };

  X11DesktopState(std::unique_ptr<Connection> connection, X11Windows& windows, LockProbe probe)
      : connection_(std::move(connection)), windows_(windows), probe_(std::move(probe)), shapes_(*connection_) {}
  Result<Keyboard> keyboard();
  Result<std::vector<xcb_window_t>> with_ancestors(xcb_window_t window);
  Result<Stack> stack();
  // The window that has the focus; nullopt if it is none of an application.
  Result<std::optional<DescribedWindow>> focused(xcb_window_t focus, const std::vector<DescribedWindow>& listed);
  // The windows beside the listed ones that may hold the keyboard, front to back.
  Result<std::vector<DescribedWindow>> possible_holders(const std::vector<DescribedWindow>& listed);

  std::unique_ptr<Connection> connection_;
  X11Windows& windows_;
  LockProbe probe_;
  WindowShapes shapes_;
};

}  // namespace da::actuator::x11
