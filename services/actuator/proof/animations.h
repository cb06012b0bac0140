// Tells what the screen draws all the time, whatever is done: a clock, a spinner, a film. Such a change proves nothing.
// Runs under the desktop's lock.
#pragma once

#include <deque>
#include <functional>
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

  // Watches from now on, so that the first action knows what was drawn before it. action_begins() watches at the
  // latest.
  void watch();
  // Remembers what was drawn since the last action has ended, when nothing of ours was under way. If the first action
  // begins right after watch(), little is known: kNow looks for a moment, kLater leaves it so.
  enum class FirstLook { kNow, kLater };
  void action_begins(FirstLook first);
  // `area`: where the next action's effect may be looked for. `unexplained`: what changed there meanwhile without being
  // an effect of the action; may be empty. `fading`: what may still change because of it. Desktop pixels.
  void action_ends(const Rect& area, const Rect& unexplained, std::span<const Rect> fading);
  // What was drawn between the last actions. Desktop pixels.
  std::vector<Rect> drawn_before() const;
  // What of it is drawn again and again, at least in part in `among` and outside of each area of `except`. Looks until
  // nothing is drawn there any more, at most kLongestLook.
  std::vector<Rect> still_moving(const Rect& among, std::span<const Rect> except);

  // Whether something in the area looked otherwise after an action than before the next one, or changed during an
  // action without being its effect.
  bool changed_by_itself(const Rect& area) const;
  // Whether the area was seen to rest within the last minute.
  bool rests(const Rect& area) const;
  // Looks whether `area` changes again and again, even only once a second, outside of each area of `except`: takes
  // kPatientLook. If it does not, it counts as resting for a minute. Ends when `go_on` is false.
  bool changes_again(const Rect& area, std::span<const Rect> except, const std::function<bool()>& go_on);

  static constexpr Milliseconds kLongestLook{130};
  static constexpr Milliseconds kPatientLook{1'100};
  // A clock changes only some of its digits at a time: what is so near to a change may change too.
  static constexpr int kDigits = 24;

 private:
  using Areas = std::vector<Rect>;

  struct Gap {
    Areas drawn;
    Areas changed;  // Of these, what is known to look otherwise.
  };

  Areas drawn_until(MonoTime deadline);
  struct Resting {
    Rect area;
    MonoTime until;
  };

  Gap gap_of(const Areas& drawn);
  static void add_changed(Gap& gap, const Rect& area);
  void forget_rest(const Rect& area);

  Screen& screen_;
  const Clock& clock_;
  std::unique_ptr<DrawingWatch> watch_;  // Null: drawing cannot be watched.
  MonoTime watched_since_;
  std::deque<Gap> gaps_;          // Between the last actions.
  PixelMemory at_end_;            // Pixels at the end of the last action.
  MonoTime ended_;                // End of the last action.
  std::vector<Resting> resting_;  // Seen by changes_again().
};

}  // namespace da::actuator
