// Clicks an element: by its own accessibility action where that means a click (own_action.h), else with the pointer on
// its visible part. Rows, items and tabs then report whether they are selected, so the outcome is KIND_CONFIRMED or
// KIND_NO_EFFECT; on a web page, where a script may take the click without selecting, it stays KIND_DISPATCHED. Runs
// under the desktop's lock.
#pragma once

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

// The caller has just checked the target, and it is in view (bring_into_view.h).
v1::Outcome click_element(Desktop& desktop, const v1::UiClick& click, const ActionTarget& target,
                          const Checkpoint& checkpoint, const Clock& clock);

}  // namespace da::actuator
