// Releases held keys and buttons when the actuator has been killed: Windows leaves them pressed.
//
// The guardian is a process (da-guardian.exe) that the actuator starts. It inherits a handle of the actuator's process
// and the memory that says what is held (HeldPage), waits for the end of the process, releases, and ends.
#pragma once

#include <string>

#include "lib/base/result.h"
#include "services/actuator/desktop/win32/input/held_page.h"

namespace da::actuator::win32 {

// For the actuator. It returns once the guardian runs.
Result<void> start_guardian(const std::string& program, const HeldPage& held);

// For da-guardian: returns when nothing is left to do.
void guard(HANDLE process, const HeldPage& held);

}  // namespace da::actuator::win32
