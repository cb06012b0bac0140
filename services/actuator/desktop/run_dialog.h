// Starts a program as a person would by the desktop's Run dialog: opens the dialog, types the command line, reads it
// back, and presses enter. The checkpoint is called before each of these steps and between chunks of text, and the
// dialog must keep the keyboard focus, so that no key goes to another window.
//
// One thread, as the roles that it uses.
#pragma once

#include <string>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// Says, for people, what is known of the program afterwards. kAborted: another window got the focus.
// kFailedPrecondition or kCancelled: the checkpoint stopped it. kUnavailable: the dialog did not open, did not take the
// text, or reported an error; it was closed, unless the message says that it is still open.
Result<std::string> launch_by_run_dialog(Desktop& desktop, const RunDialog& dialog, const LaunchPlan& plan,
                                         const Checkpoint& checkpoint, const Clock& clock);

}  // namespace da::actuator
