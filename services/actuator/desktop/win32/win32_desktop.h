// The Windows back end: every role of desktop.h for the session that this process runs in.
//
// It needs Windows 10 or later, and a session with a desktop: not session 0, where services run. Each role says which
// threads it has. Errors: kFailedPrecondition (session 0, no interactive window station, another desktop has the
// input), kAlreadyExists (another actuator drives the session), kUnavailable (no hook for a person's input).
#pragma once

#include <memory>
#include <string>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// kDrive claims the session: kAlreadyExists when another actuator has it. kExamine disturbs nobody.
enum class Win32Use { kExamine, kDrive };

// The clock must outlive the desktop; use system_clock(). Only one desktop a process at a time. `guardian`: path of
// da-guardian.exe, which releases held keys and restores the clipboard if this process is killed; empty: the one beside
// this program. Without it kDrive still works, and a warning is logged.
Result<std::unique_ptr<Desktop>> open_win32_desktop(const Clock& clock, Win32Use use = Win32Use::kDrive,
                                                    const std::string& guardian = {});

}  // namespace da::actuator
