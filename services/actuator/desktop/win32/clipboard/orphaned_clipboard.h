// Lets the guardian restore the clipboard after the actuator was killed.
#pragma once

#include "services/actuator/desktop/win32/clipboard/kept_clipboard.h"

namespace da::actuator::win32 {

// If the clipboard still has what the actuator left there, replaces it by what the actuator kept. Leaves alone what
// anybody else has copied since. `actuator`: the process that has ended. Errors: kUnavailable when another program
// keeps the clipboard open for long.
Result<void> restore_orphaned_clipboard(const KeptClipboard& kept, DWORD actuator);

}  // namespace da::actuator::win32
