// Looks for the effect of an action: compares the desktop before the input with the desktop after it.
//
// docs/SPEC.md ("Proof") has the table of what proves each tool. An outcome becomes KIND_CONFIRMED when its effect
// shows, and KIND_NO_EFFECT when what the element tells contradicts it; else it stays KIND_DISPATCHED, and its message
// says what was missing. Looks until the effect shows, at most kProofTime. Runs under the desktop's lock; keeps its
// buffers from one action to the next.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/proof/animations.h"
#include "services/actuator/proof/element_effect.h"
#include "services/actuator/proof/highlights.h"
#include "services/actuator/proof/pixel_change.h"
#include "services/actuator/proof/window_effect.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

// Whether it was observed that the application has read its input.
enum class Receipt { kUnknown, kRead };

class EffectProof {
 public:
  EffectProof(Desktop& desktop, const Clock& clock)
      : desktop_(desktop),
        clock_(clock),
        pause_(desktop.screen(), clock),
        windows_(desktop, pause_, clock),
        element_(desktop, pause_, clock),
        highlights_(desktop, clock),
        animations_(desktop.screen(), clock) {
    animations_.watch();
  }

  // Remembers what shows just before the action. Moves the pointer to the target of a click if the target may light up
  // under it, because that is no effect of the click. Errors: the checkpoint's.
  Result<void> before(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint);
  // Call it while a click is on its way. kAborted: the program has just shown another window, which may take the click
  // or be taken for its effect.
  Result<void> check_windows_before_press() const { return windows_.check_no_new_window(); }
  // Completes the outcome of an action that was dispatched; leaves any other outcome as it is. Stops looking when the
  // checkpoint fails.
  void complete(const v1::Action& action, const ActionTarget& target, Receipt receipt, const Checkpoint& checkpoint,
                v1::Outcome& outcome);

 private:
  enum class Look { kShort, kPatient };

  Rect surroundings(const v1::Action& action, const ActionTarget& target) const;
  void prove(const v1::Action& action, const ActionTarget& target, Receipt receipt, const Checkpoint& checkpoint,
             v1::Outcome& outcome);
  // Whether an element of the window has the keyboard focus now, and none had it before the action.
  bool focus_came_late(const ActionTarget& target) const;
  void complete_close(const ActionTarget& target, const Checkpoint& checkpoint, v1::Outcome& outcome);
  void complete_typing(const std::string& text, Receipt receipt, const Checkpoint& checkpoint, v1::Outcome& outcome);
  void await_busy_application(const Checkpoint& checkpoint);
  void complete_by_looking(const v1::Action& action, Receipt receipt, const Checkpoint& checkpoint,
                           v1::Outcome& outcome);
  // Returns the change of the pixels that show no window in front of the action's own ones.
  std::optional<Rect> change_of_pixels(std::span<const Rect> ignored);
  // Whether no pixel has changed, for whatever reason.
  bool looks_as_before();
  // Tells people what of the pixels shows the effect; empty: nothing does so far. `after`: since the application has
  // read the input. A patient look tells clocks from effects.
  std::string changed_pixels(Milliseconds after, Look look, const Checkpoint& checkpoint);

  Desktop& desktop_;
  const Clock& clock_;
  DrawingPause pause_;
  WindowEffect windows_;
  ElementEffect element_;
  Highlights highlights_;
  PixelMemory pixels_;
  Animations animations_;
  Rect unexplained_;             // Changed, but not because of the action.
  std::vector<Rect> looked_at_;  // The parts of pixels_ that show an effect.
  Rect must_react_;              // Where a click by sight must be followed by drawing at once; empty: nowhere.
  Milliseconds must_last_{0};    // Changed pixels count after a rest of this length; 0: at once.
  bool only_selects_ = false;    // The click selects what it is made on, whatever else it does.
  bool types_line_ = false;      // The action types text without a line break or a tab.
};

}  // namespace da::actuator
