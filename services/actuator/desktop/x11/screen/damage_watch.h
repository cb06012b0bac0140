// Waits until the screen is at rest, by XDamage on the root window.
//
// A blinking caret draws every 400 ms or more, so ask for less quiet than that (300 ms). An application that draws
// nothing may still work. But when its processes are known and none of them woke for some time, it has finished its
// input, and the wait ends earlier (Rest::idle). What the overlay draws is no change. Owns a connection. Any thread;
// callers take turns.
#pragma once

#include <memory>
#include <mutex>

#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/x11/applications/posix_process.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/screen/drawn_areas.h"
#include "services/actuator/desktop/x11/windows/focus_owner.h"

namespace da::actuator::x11 {

// Activity of the focused application so far. Equal values at two times: it did nothing in between.
struct FocusedWork {
  std::uint32_t pid = 0;
  Activity activity;
  friend bool operator==(const FocusedWork&, const FocusedWork&) = default;
};

class DamageWatch {
 public:
  // kUnimplemented when the server has no DAMAGE or XFIXES extension.
  static Result<std::unique_ptr<DamageWatch>> open(const std::string& display, const Clock& clock, X11Overlay& overlay);

  // The quiet time starts at the call, because recent input may not have been drawn yet.
  Result<Quiet> wait_quiet(const Rest& rest, MonoTime deadline);

 private:
  DamageWatch(std::unique_ptr<Connection> connection, DrawnAreas drawn, FocusAtoms atoms)
      : connection_(std::move(connection)), drawn_(drawn), atoms_(atoms) {}
  Result<std::optional<FocusedWork>> focused_work();

  std::mutex mutex_;
  std::unique_ptr<Connection> connection_;
  DrawnAreas drawn_;
  FocusAtoms atoms_;
};

}  // namespace da::actuator::x11
