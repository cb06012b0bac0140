// Top-level windows by EWMH: the window manager's list, and its messages to focus and close.
//
// Without a window manager, the mapped children of the root are the windows; they are focused and closed directly. Owns
// its connection. One thread at a time. Waits for events, never polls. Errors: kNotFound (no such window),
// kDeadlineExceeded, kUnavailable.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "services/actuator/desktop/roles/checkpoint.h"
#include "services/actuator/desktop/roles/windows.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/session/lock_probe.h"
#include "services/actuator/desktop/x11/windows/window_properties.h"

namespace da::actuator::x11 {

class X11Windows final : public Windows {
 public:
  static Result<std::unique_ptr<X11Windows>> open(const std::string& display, const Clock& clock);

  Result<std::vector<WindowInfo>> list() override;
  std::vector<std::uint32_t> ancestors() override;
  Result<std::optional<WindowInfo>> foreground() override;
  Result<std::optional<WindowInfo>> window_at(Point at) override;
  Result<std::optional<Rect>> popup_at(Point at) override;
  Result<void> focus(const std::string& id, MonoTime deadline) override;
  Result<void> close(const std::string& id) override;
  bool may_be_started_by(std::uint32_t pid, std::uint32_t program) override;
  Result<Ending> terminate(std::uint32_t pid, std::uint64_t process_start, const Checkpoint& checkpoint,
                           MonoTime deadline) override;

  // Whether a window manager answers. Without one, each application decides on focus and stacking.
  Result<bool> managed();
  // As list(), with the places without frames.
  Result<std::vector<DescribedWindow>> described();
  // The other windows that show: panels, the desktop's background, and those that bypass the window manager (menus,
  // tooltips, notifications).
  Result<std::vector<DescribedWindow>> unlisted();
  // Whether the application itself says that this window is modal: Java tells it only in its tree, not to the window
  // manager. Counts until the window is gone, or the application says otherwise.
  void learn_modal(const std::string& id, bool modal);
  // Describes these windows, listed or not, in this order; leaves out those that are gone.
  std::vector<DescribedWindow> describe(std::span<const xcb_window_t> windows) {
    return describe_windows(*connection_, atoms_, owners_, windows);
  }
  // The listed window inside each child of the root: window managers put each one into a frame.
  Result<std::map<xcb_window_t, xcb_window_t>> clients_of_frames(std::span<const xcb_window_t> windows);

 private:
  enum class Bypassing { kNo, kYes };
  X11Windows(std::unique_ptr<Connection> connection, const WindowAtoms& atoms, const WindowOwners& owners,
             const LockProbe& probe)
      : connection_(std::move(connection)), atoms_(atoms), owners_(owners), probe_(probe) {}
  struct RootProperties {
    std::vector<xcb_window_t> front_to_back;
    std::vector<xcb_window_t> mapped;  // Oldest first.
    xcb_window_t active = XCB_NONE;
    bool managed = false;  // The other values mean nothing without a window manager.
  };
  Result<RootProperties> root_properties();
  // The windows in both orders of the window manager; without one, only front to back.
  struct Listed {
    std::vector<xcb_window_t> front_to_back;
    std::vector<xcb_window_t> mapped;  // Oldest first.
    xcb_window_t active = XCB_NONE;    // The window that counts as having the focus.
  };
  Result<Listed> listed();
  // The mapped ones. `bypassing`: those that the window manager leaves alone, or the others.
  Result<std::vector<xcb_window_t>> children_of_root(Bypassing bypassing);
  Result<std::vector<DescribedWindow>> describe_listed(const Listed& windows);  // Panels, too.
  Result<xcb_window_t> active();
  Result<xcb_window_t> focused_top_level();
  Result<xcb_window_t> existing(const std::string& id);
  Result<bool> is_focused(xcb_window_t window);
  Result<std::optional<WindowInfo>> unmanaged(xcb_window_t window, const std::vector<DescribedWindow>& windows);

  std::unique_ptr<Connection> connection_;
  WindowAtoms atoms_;
  WindowOwners owners_;
  LockProbe probe_;
  std::set<xcb_window_t> modal_;     // What learn_modal() was told.
  xcb_window_t manager_ = XCB_NONE;  // The window that stood for the window manager at the last look.
};

}  // namespace da::actuator::x11
