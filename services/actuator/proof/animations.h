// Tells what the screen draws all the time, whatever is done: a clock, a spinner, a film. Such a change proves nothing.
// Runs under the desktop's lock.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "lib/base/clock.h"
#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/proof/pixel_change.h"

namespace da::actuator {

class Animations {
 public:
  Animations(Screen& screen, const Clock& clock) : screen_(screen), clock_(clock) {}

  // Remembers what was drawn since the last action has ended, when nothing of ours was under way. Before the first
  // action nothing is known: kNow looks for a moment, kLater leaves it so.
  enum class FirstLook { kNow, kLater };
  void action_begins(FirstLook first);
  // `area`: where the next action's effect may be looked for. Desktop pixels.
  void action_ends(const Rect& area);
  // What was drawn between the last actions. Desktop pixels.
  std::vector<Rect> drawn_before() const;
  // What of it is drawn again and again, at least in part in `among` and outside of each area of `except`. Looks until
  // nothing is drawn there any more, at most kLongestLook.
  std::vector<Rect> still_moving(const Rect& among, std::span<const Rect> except);

  static constexpr Milliseconds kLongestLook{130};

 private:
  using Areas = std::vector<Rect>;

  Areas drawn_until(MonoTime deadline);
  Areas changed_of(const Areas& drawn);

  Screen& screen_;
  const Clock& clock_;
  std::unique_ptr<DrawingWatch> watch_;  // Null: drawing cannot be watched.
  std::deque<Areas> gaps_;               // What was drawn between the last actions.
  PixelMemory at_end_;                   // Of the last action.
};

}  // namespace da::actuator
