// Checks between chunks of input that it still reaches its target. Most checks are cheap: the element is asked only now
// and then, because an application may answer slowly. Runs under the desktop's lock.
#pragma once

#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/privacy/screen_mask.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

// `target` must be current. Desktop, mask and clock must outlive the checkpoint. It returns kAborted if another window
// or element has the keyboard focus (keyboard tools) or is under the point (clicks).
Checkpoint watch_target(Desktop& desktop, const ScreenMask& mask, const v1::Action& action, const ActionTarget& target,
                        const Clock& clock);

}  // namespace da::actuator
