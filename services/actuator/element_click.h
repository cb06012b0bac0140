// Clicks an element by what it is: by its own action where that means a click (own_action.h), else with the pointer on
// what shows of it. Rows, items and tabs say afterwards whether they are selected: then the outcome is confirmed, or
// has no effect. Runs under the desktop's lock.
#pragma once

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/target.h"

namespace da::actuator {

// The target shows (bring_into_view.h), and was checked just now.
v1::Outcome click_element(Desktop& desktop, const v1::UiClick& click, const Target& target,
                          const Checkpoint& checkpoint, const Clock& clock);

}  // namespace da::actuator
