// The applications' top-level windows, and the end of their processes. desktop.h tells about coordinates, threads and
// errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/roles/checkpoint.h"

namespace da::actuator {

enum class WindowKind {
  kMain,  // Also: unknown.
  kDialog,
  kSplash,  // Shown while an application starts; takes no input.
  kPopup    // A tooltip, a menu, a notification.
};

// A top-level window of an application.
struct WindowInfo {
  std::string id;  // Native handle as text.
  std::string title;
  std::uint32_t pid = 0;   // 0: unknown.
  std::string executable;  // Absolute path; empty: unknown.
  std::uint64_t process_start = 0;
  Rect bounds;  // Including the frame.
  bool focused = false;
  bool minimized = false;
  bool mapped = true;  // False on a hidden workspace, even when no state of the window says so.
  WindowKind kind = WindowKind::kMain;
  std::string launch_token;      // LaunchedProgram.token that the window claims; untrusted, mostly empty.
  bool takes_input = true;       // False: its program has more rights, so that the system discards our input.
  bool title_is_masked = false;  // Set by ScreenMask::hide(): only the policy may see the title.
  // When the program had last got input of a person as it showed this window, or when this window got some later: ms of
  // the system's event clock, which wraps around. nullopt: the program does not tell.
  std::optional<std::uint32_t> input_time;
  std::string blocked_by;  // Id of the modal dialog that takes this window's input; empty: none is known.
  // window_at() sets it: the system's own name for what gets a press there, which may be a frame or a menu of this
  // window. Only PressPlace reads it.
  std::string surface;
  // Likewise whether the point is on the frame with which the system surrounds the window, such as its title bar.
  bool on_frame = false;
  // Likewise of what gets it within the surface: a program's button may be a window of the system.
  std::string part;

  // Rules that name a program must match only windows whose owner is known.
  bool owner_is_known() const { return pid != 0 && !executable.empty(); }
};

// How a process ended that was to be terminated.
enum class Ending {
  kClosed,  // By itself, because its windows were asked to close.
  kKilled
};

class Windows {
 public:
  virtual ~Windows() = default;
  virtual Result<std::vector<WindowInfo>> list() = 0;  // Front to back.
  virtual Result<std::optional<WindowInfo>> foreground() = 0;
  virtual Result<std::optional<WindowInfo>> window_at(Point at) = 0;
  // The place of the menu or list that gets a click at this point: an unlisted window, but no tooltip. nullopt: none
  // does, or this system lists all windows.
  virtual Result<std::optional<Rect>> popup_at(Point) { return std::optional<Rect>(); }
  // The processes that have started this one, the nearest first.
  virtual std::vector<std::uint32_t> ancestors() { return {}; }
  // Whether the process may have been started by `program`, as far as the system tells. False: another one did it.
  virtual bool may_be_started_by(std::uint32_t /*pid*/, std::uint32_t /*program*/) { return true; }
  virtual Result<void> focus(const std::string& id, MonoTime deadline) = 0;  // Restores; returns once it is active.
  virtual Result<void> close(const std::string& id) = 0;                     // Asks the application to close it.
  // Ends exactly this process and returns once it is gone. Windows: asks its windows to close first, and kills it when
  // it is still there after a while. Calls the checkpoint before the kill and while it waits for the windows.
  virtual Result<Ending> terminate(std::uint32_t pid, std::uint64_t process_start, const Checkpoint& checkpoint,
                                   MonoTime deadline) = 0;
};

}  // namespace da::actuator
