// Guards a press on an element of a web page. As soon as a page sees the pointer, it can bring a frame of another site
// under it, so that a press that was meant for "Next" lands on "Pay". A busy browser sees the pointer late, and its hit
// test tells the old state until then. The keyboard focus does not lag behind: a press moves it. So the button is
// released elsewhere where the focus goes to another document, or where a frame lies under the pointer afterwards.
#pragma once

#include <optional>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

// One press, under the desktop's lock.
class PagePress {
 public:
  // Create it before the pointer arrives. nullopt: target.element is part of no web page, or in a list that lies over
  // it. kAborted: that is unknown.
  static Result<std::optional<PagePress>> on(Desktop& desktop, const ActionTarget& target, const Clock& clock);

  // Asks, while the button is held, whether the element's own document got the press. Waits kFocusTime for the focus,
  // and kBusyTime longer where a page with frames should have moved it; less if the checkpoint fails, which means no.
  bool reached_document(const Checkpoint& checkpoint) const;
  // Clicks once with the left button: moves, checks, presses, checks again, and releases, elsewhere if the press went
  // astray.
  Progress click(const PressPlace& place, const Checkpoint& checkpoint) const;

 private:
  // Where the focus went.
  enum class Focus { kStayed, kCame, kWentElsewhere };
  // Where the page has frames with documents that do not contain the element.
  enum class Frames { kNone, kElsewhere, kOverThePoint };

  PagePress(Desktop& desktop, const ActionTarget& target, const Clock& clock, PageDocument document);

  FoundElement focused() const;
  Focus await_focus(Milliseconds time, const Checkpoint& checkpoint) const;
  Frames other_frames() const;

  Desktop& desktop_;
  const ActionTarget& target_;
  const Clock& clock_;
  PageDocument document_;      // It contains the element.
  FoundElement focus_before_;  // What had the focus before the press.
};

// Why a press did not reach the element's document.
Error press_went_astray();

}  // namespace da::actuator
