// Waits between two looks for an effect: until something is drawn, or for a moment, because an element may change its
// state without drawing and a window may close. Runs under the desktop's lock.
#pragma once

#include <memory>
#include <vector>

#include "lib/base/clock.h"
#include "services/actuator/desktop/roles/checkpoint.h"
#include "services/actuator/desktop/roles/screen.h"

namespace da::actuator {

class DrawingPause {
 public:
  DrawingPause(Screen& screen, const Clock& clock) : screen_(screen), clock_(clock) {}

  // Lets anything that is drawn from now on end the next wait. Forgets what was drawn before.
  void arm();
  // Waits for something to be drawn. False: the time is over, or the action is to stop.
  bool await_drawing(MonoTime deadline, const Checkpoint& checkpoint);
  // Whether something was drawn in `area` between arm() and now. true as well if drawing cannot be watched. Desktop
  // pixels.
  bool has_drawn_in(const Rect& area);

  // A wait takes at most this long.
  static constexpr Milliseconds kBetweenLooks{50};
  // A clock, or a progress that counts seconds, changes within this time.
  static constexpr Milliseconds kTick{1'100};

 private:
  Screen& screen_;
  const Clock& clock_;
  void read_drawing(MonoTime deadline);

  std::unique_ptr<DrawingWatch> watch_;  // Null: drawing cannot be watched.
  std::vector<Rect> drawn_;              // What was drawn since arm().
};

}  // namespace da::actuator
