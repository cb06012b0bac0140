// Scrolls an element that is out of sight into view: asks the application to do it or, where it cannot, turns the wheel
// over the element's container. Runs under the desktop's lock.
#pragma once

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// Returns the element as it then shows. Calls the checkpoint between notches of the wheel and returns its error. Other
// errors: kNotFound (the element is gone), kFailedPrecondition (it cannot be scrolled into view).
Result<Element> bring_into_view(Desktop& desktop, const WindowInfo& window, const Element& element,
                                const Checkpoint& checkpoint, const Clock& clock);

// Turns the wheel until no header, footer or banner of the page covers the middle of the element, which shows. Errors:
// kFailedPrecondition if scrolling does not help, for example because the cover fills the page; the checkpoint's; the
// desktop's.
Result<void> scroll_clear(Desktop& desktop, const WindowInfo& window, const Element& element,
                          const Checkpoint& checkpoint, const Clock& clock);

}  // namespace da::actuator
