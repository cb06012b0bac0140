// Waits until the screen rests, by XDamage on the root window: the server says when something was drawn.
//
// A caret that blinks draws too: its gaps are 400 ms and more, so ask for less quiet than that (300 ms).
// Owns a connection. Any thread; callers take turns.
#pragma once

#include <memory>
#include <mutex>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

class DamageWatch {
 public:
  // kUnimplemented where the server has no DAMAGE extension.
  static Result<std::unique_ptr<DamageWatch>> open(const std::string& display, const Clock& clock);

  // The quiet time starts anew at the call: what was asked for just before it may not have been drawn yet.
  Result<Quiet> wait_quiet(Milliseconds quiet, MonoTime deadline);

 private:
  DamageWatch(std::unique_ptr<Connection> connection, std::uint32_t damage, std::uint8_t first_event)
      : connection_(std::move(connection)), damage_(damage), first_event_(first_event) {}
  Result<void> rearm();

  std::mutex mutex_;
  std::unique_ptr<Connection> connection_;
  std::uint32_t damage_;
  std::uint8_t first_event_;
};

}  // namespace da::actuator::x11
