// Scrolls an element that is scrolled out of sight into view: asks the application to, and where it cannot, turns the
// wheel in the element's container. Runs under the desktop's lock.
#pragma once

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// The element as it shows then. The checkpoint is asked between notches of the wheel. Errors: kNotFound (it is gone),
// kFailedPrecondition (it does not come into view), or what stopped it.
Result<Element> bring_into_view(Desktop& desktop, const WindowInfo& window, const Element& element,
                                const Checkpoint& checkpoint, const Clock& clock);

}  // namespace da::actuator
