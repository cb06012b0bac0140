#include "services/actuator/proof/drawing_pause.h"

#include <algorithm>

namespace da::actuator {

void DrawingPause::arm() {
  if (!watch_) {
    if (auto watch = screen_.watch_drawing()) watch_ = *std::move(watch);
  }
  if (watch_ && !watch_->arm()) watch_.reset();
}

bool DrawingPause::await_drawing(MonoTime deadline, const Checkpoint& checkpoint) {
  if (clock_.now() >= deadline) return false;
  if (must_stop_waiting(checkpoint)) return false;
  const MonoTime until = std::min(deadline, clock_.now() + kBetweenLooks);
  if (watch_) {
    if (!watch_->next(until, {})) watch_.reset();
  } else {
    (void)screen_.wait_quiet(kBetweenLooks, until);
  }
  return true;
}

}  // namespace da::actuator
