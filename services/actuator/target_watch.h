// Whether input still goes to what it was meant for, asked between its chunks. Cheap at most of them: the element is
// asked only once in a while, because an application may take its time to answer. Runs under the desktop's lock.
#pragma once

#include "da/v1/tools.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/screen_mask.h"
#include "services/actuator/target.h"

namespace da::actuator {

// `target` was looked at just now; desktop, mask and clock must outlive the checkpoint. Its error, kAborted, says what
// came in between: keyboard tools, another window or element with the focus; clicks, another one under the point.
Checkpoint watch_target(Desktop& desktop, const ScreenMask& mask, const v1::Action& action, const Target& target,
                        const Clock& clock);

}  // namespace da::actuator
