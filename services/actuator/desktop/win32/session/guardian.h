// Cleans up after an actuator that has been killed: releases held keys and buttons, which Windows leaves pressed, and
// puts back the clipboard's previous content, which the actuator had replaced for a paste.
//
// The guardian is a process (da-guardian.exe) that the actuator starts. It inherits a handle of the actuator's process,
// the memory that says what is held (HeldPage), and the one with the clipboard's content (KeptClipboard). It waits for
// the end of the process, does its work, and ends.
#pragma once

#include <string>

#include "lib/base/result.h"
#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/clipboard/kept_clipboard.h"
#include "services/actuator/desktop/win32/input/held_page.h"

namespace da::actuator::win32 {

// Called by the actuator. Returns the guardian's process, once it runs.
Result<UniqueKernelHandle> start_guardian(const std::string& program, const HeldPage& held,
                                          const KeptClipboard& clipboard);

// Runs in da-guardian; returns when nothing is left to do.
Result<void> guard(HANDLE process, const HeldPage& held, const KeptClipboard& clipboard);

}  // namespace da::actuator::win32
