// Puts the desktop right after an actuator that died: releases what it held, restores the keyboard map and the locks
// that typing had put aside, and offers again what was on the clipboard.
//
// The guardian is a process of its own (da-guardian), started by the actuator, in a process group of its own. It learns
// of the end by a process descriptor, and what to release from memory that both share (HeldInput); the borrowed
// keycodes stand in a property of the root window (KeyboardMap). It acts once the server has closed the dead one's
// connection, which ends its claim of the display; so nothing that was still on its way comes after the release.
// A clipboard lives as long as its owner: where the actuator had it from an application (KeptClipboard), the guardian
// lives on as the owner of that content until another takes the clipboard. It ends by itself: when all is done, and
// when the display goes.
#pragma once

#include <string>

#include "lib/os/child_process.h"
#include "services/actuator/desktop/x11/held_input.h"
#include "services/actuator/desktop/x11/kept_clipboard.h"

namespace da::actuator::x11 {

// The actuator's side. Returns once the guardian watches. The display must be claimed already.
Result<os::ChildProcess> start_guardian(const std::string& program, const std::string& display, const HeldInput& held,
                                        const KeptClipboard& clipboard, MonoTime deadline);

struct Ward {
  std::string display;
  HeldInput held;
  KeptClipboard clipboard;
  os::UniqueFd process;  // Readable once it has ended.
  os::UniqueFd ready;    // Where a byte says that the guardian watches.
};

// The guardian's side. Returns when there is nothing left to do.
Result<void> guard(Ward ward, const Clock& clock);

}  // namespace da::actuator::x11
