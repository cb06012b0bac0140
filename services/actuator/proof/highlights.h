// Keeps what lights up or goes out because the pointer and the focus move from being taken for the effect of an action.
// Runs under the desktop's lock.
#pragma once

#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

class Highlights {
 public:
  Highlights(Desktop& desktop, const Clock& clock) : desktop_(desktop), clock_(clock) {}

  // Begins with a new action. `on_control`: it clicks a control; else nothing is known any more about the pointer.
  void begin(bool on_control);
  // Moves the pointer to where it lights up what is below it, and waits until that shows. Gives the window of a click
  // the focus first. Errors: the checkpoint's; kAborted: a dialog of the same program has the focus although the target
  // should have it.
  Result<void> light_up(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint);

  // Returns the areas that are not to be looked at. Desktop pixels.
  const std::vector<Rect>& areas() const { return areas_; }

  // How long the screen rests after something has lit up.
  static constexpr Milliseconds kRest{30};
  static constexpr Milliseconds kLightsUpWithin{150};

 private:
  struct Fading {
    Rect area;
    MonoTime until;
  };

  Result<void> activate(const ActionTarget& target, const Checkpoint& checkpoint);
  Result<void> check_no_dialog_keeps_focus(const std::string& target);
  void add_what_goes_out(const ActionTarget& target);

  Desktop& desktop_;
  const Clock& clock_;
  std::vector<Rect> areas_;
  std::vector<Fading> fading_;  // Controls of the last clicks.
  Rect lit_;                    // The control that the last click has left under the pointer.
};

}  // namespace da::actuator
