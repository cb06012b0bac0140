// Waits until the screen rests, by XDamage on the root window: the server says when something was drawn.
//
// A caret that blinks draws too: its gaps are 400 ms and more, so ask for less quiet than that (300 ms).
// An application that draws nothing may still be at work. Where its processes are known, and none of them was woken for
// some time, nothing that it was asked to do is left: for what goes to the focused application that is rest, and
// sooner. Owns a connection. Any thread; callers take turns.
#pragma once

#include <memory>
#include <mutex>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/focus_owner.h"
#include "services/actuator/desktop/x11/posix_process.h"

namespace da::actuator::x11 {

// What the application with the focus has done until now. The same at two times: nothing in between.
struct FocusedWork {
  std::uint32_t pid = 0;
  Activity activity;
  friend bool operator==(const FocusedWork&, const FocusedWork&) = default;
};

class DamageWatch {
 public:
  // kUnimplemented where the server has no DAMAGE extension.
  static Result<std::unique_ptr<DamageWatch>> open(const std::string& display, const Clock& clock);

  // The quiet time starts anew at the call: what was asked for just before it may not have been drawn yet.
  Result<Quiet> wait_quiet(const Rest& rest, MonoTime deadline);

 private:
  DamageWatch(std::unique_ptr<Connection> connection, std::uint32_t damage, std::uint8_t first_event, FocusAtoms atoms)
      : connection_(std::move(connection)), damage_(damage), first_event_(first_event), atoms_(atoms) {}
  Result<void> rearm();
  Result<std::optional<FocusedWork>> focused_work();

  std::mutex mutex_;
  std::unique_ptr<Connection> connection_;
  std::uint32_t damage_;
  std::uint8_t first_event_;
  FocusAtoms atoms_;
};

}  // namespace da::actuator::x11
