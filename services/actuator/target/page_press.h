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
  // Create it before the press. nullopt: target.element is part of no web page, or in a list that lies over it.
  static std::optional<PagePress> on(Desktop& desktop, const ActionTarget& target, const Clock& clock);

  // Whether the element's own document got the press, while the button is held. Returns as soon as the focus has moved;
  // where it does not, after kFocusTime, and after kBusyTime where a page with frames should have moved it.
  bool reached_document() const;
  // A single left click: moves, checks, presses, checks again, and releases, elsewhere if the press went astray.
  Progress click(const PressPlace& place, const Checkpoint& checkpoint) const;

 private:
  PagePress(Desktop& desktop, const ActionTarget& target, const Clock& clock, ElementHandle document);

  std::optional<Element> focused() const;

  Desktop& desktop_;
  const ActionTarget& target_;
  const Clock& clock_;
  ElementHandle document_;               // That of the element.
  std::optional<Element> focus_before_;  // nullopt: nothing had it, or it is unknown.
};

// Why a press did not reach the element's document.
Error press_went_astray();

}  // namespace da::actuator
