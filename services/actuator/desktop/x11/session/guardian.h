// Cleans up the desktop after the actuator's end: releases held keys and buttons, restores the keyboard's map, state
// and controls as they were before the step, presses other programs' keys again that the step had lifted, and offers
// the previous clipboard content again.
//
// The guardian is a process (da-guardian) that the actuator starts, in its own process group. It learns of the
// actuator's end from a pidfd, of held keys and buttons from shared memory (HeldInput), and of borrowed keycodes from a
// property of the root window (KeyboardMap). It acts once the server has closed the dead actuator's connection, which
// ends its claim of the display, so that no input of the actuator arrives after the release. If the actuator had taken
// the clipboard from an application (KeptClipboard), the guardian owns that content until another program takes the
// clipboard. It ends when all is done, or when the display is gone.
#pragma once

#include <string>

#include "lib/os/process/child_process.h"
#include "services/actuator/desktop/x11/clipboard/kept_clipboard.h"
#include "services/actuator/desktop/x11/input/held_input.h"

namespace da::actuator::x11 {

// Called by the actuator; returns once the guardian is ready. The display must be claimed already.
Result<os::ChildProcess> start_guardian(const std::string& program, const std::string& display, const HeldInput& held,
                                        const KeptClipboard& clipboard, MonoTime deadline);

struct Ward {
  std::string display;
  HeldInput held;
  KeptClipboard clipboard;
  os::UniqueFd process;  // The actuator's pidfd: readable once it has ended.
  os::UniqueFd ready;    // Receives one byte once the guardian is ready.
};

// Runs in da-guardian; returns when nothing is left to do.
Result<void> guard(Ward ward, const Clock& clock);

}  // namespace da::actuator::x11
