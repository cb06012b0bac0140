// Looks for the effect of an action: compares the desktop before the input with the desktop after it.
//
// docs/SPEC.md ("Proof") has the table of what proves each tool. An outcome becomes KIND_CONFIRMED when its effect
// shows, and KIND_NO_EFFECT when what the element tells contradicts it; else it stays KIND_DISPATCHED, and its message
// says what was missing. Looks until the effect shows, at most kProofTime. Runs under the desktop's lock; keeps its
// buffers from one action to the next.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/proof/animations.h"
#include "services/actuator/proof/pixel_change.h"
#include "services/actuator/proof/windows_in_front.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

// Whether it was observed that the application has read its input.
enum class Receipt { kUnknown, kRead };

class EffectProof {
 public:
  EffectProof(Desktop& desktop, const Clock& clock)
      : desktop_(desktop), clock_(clock), animations_(desktop.screen(), clock) {
    animations_.watch();
  }

  // Remembers what shows just before the action. Moves the pointer to the target of a click if the target may light up
  // under it, because that is no effect of the click. Errors: the checkpoint's.
  Result<void> before(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint);
  // Call it while a click is on its way. kAborted: the program has just shown another window, which may take the click
  // or be taken for its effect.
  Result<void> check_windows_before_press() const;
  // Completes the outcome of an action that was dispatched; leaves any other outcome as it is. Stops looking when the
  // checkpoint fails.
  void complete(const v1::Action& action, const ActionTarget& target, Receipt receipt, const Checkpoint& checkpoint,
                v1::Outcome& outcome);

 private:
  // What shows the effect; empty: nothing does so far.
  using Finding = std::string;

  enum class Look { kShort, kPatient };

  struct Fading {
    Rect area;
    MonoTime until;
  };

  Rect surroundings(const v1::Action& action, const ActionTarget& target) const;
  Result<void> activate(const ActionTarget& target, const Checkpoint& checkpoint);
  // kAborted: a dialog of the same program has the focus although the target should have it.
  Result<void> check_no_dialog_keeps_focus(const std::string& target);
  Result<void> light_up(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint);
  void prove(const v1::Action& action, const ActionTarget& target, Receipt receipt, const Checkpoint& checkpoint,
             v1::Outcome& outcome);
  void ignore_what_goes_out(const ActionTarget& target);
  std::optional<Rect> change_of_pixels(std::span<const Rect> ignored);
  // Whether no pixel has changed, for whatever reason.
  bool looks_as_before();
  // Whether a window of the action had the focus before and has it no more.
  bool lost_focus(std::span<const WindowInfo> listed) const;
  // Returns the change of the pixels that show no window in front of the action's own ones.
  std::optional<Rect> change_beneath(const FrameView& view, std::vector<Rect> ignored);
  void complete_close(const ActionTarget& target, const Checkpoint& checkpoint, v1::Outcome& outcome);
  void complete_typing(const std::string& text, Receipt receipt, const Checkpoint& checkpoint, v1::Outcome& outcome);
  void await_busy_application(const Checkpoint& checkpoint);
  void complete_by_looking(const v1::Action& action, Receipt receipt, const Checkpoint& checkpoint,
                           v1::Outcome& outcome);
  Finding changed_windows();
  // Reads the element again, and sets is_silent_.
  Result<Element> read_element();
  bool missed_input();
  bool has_new_popup();
  Finding changed_title(const Checkpoint& checkpoint);
  Finding changed_element(const v1::Action& action, const Checkpoint& checkpoint);
  bool tells_effect(const v1::Action& action, const Element& now, const Checkpoint& checkpoint);
  bool keeps_telling(const Element& told, const Checkpoint& checkpoint);
  // `after`: since the application has read the input. A patient look tells clocks from effects.
  Finding changed_pixels(Milliseconds after, Look look, const Checkpoint& checkpoint);
  // Waits for something to be drawn. False: the time is over, or the action is to stop.
  bool await_drawing(MonoTime deadline, const Checkpoint& checkpoint);

  Desktop& desktop_;
  const Clock& clock_;
  std::unique_ptr<DrawingWatch> drawing_;
  PixelMemory pixels_;
  Animations animations_;
  std::vector<Fading> fading_;           // Controls of the last clicks.
  Rect lit_;                             // The control that the last click has left under the pointer.
  std::vector<Rect> ignored_;            // Lights up or goes out because the pointer and the focus move.
  Rect unexplained_;                     // Changed, but not because of the action.
  std::vector<Rect> looked_at_;          // The parts of pixels_ that show an effect.
  Milliseconds must_last_{0};            // Changed pixels count after a rest of this length; 0: at once.
  std::vector<WindowInfo> windows_;      // Before the action.
  OwnWindows own_;                       // The windows that the action is for.
  std::optional<Element> element_;       // The clicked or the focused element before the action.
  std::set<std::string> popups_;         // Of the action's program, before the action.
  bool only_selects_ = false;            // The click selects what it is made on, whatever else it does.
  std::set<std::string> tells_input_;    // Windows that have told new input times for keys.
  std::set<std::string> lively_titles_;  // Windows whose titles change by themselves.
  bool tells_by_itself_ = false;         // The element's name or text changed before the action.
  bool types_line_ = false;              // The action types text without a line break or a tab.
  bool is_disabled_ = false;             // The element, at the last look.
  bool is_silent_ = false;               // Its application did not answer the last question about it in time.
};

}  // namespace da::actuator
