// The DPI awareness of this process. Without awareness of each monitor's DPI, Windows would scale coordinates and
// captures on monitors with another DPI. Any thread.
#pragma once

#include <string>

#include "lib/base/result.h"

namespace da::actuator::win32 {

// Call it before creating any window. Errors: kFailedPrecondition (another setting was made first, or an old Windows).
Result<void> become_dpi_aware();

// What Windows applies to this thread's coordinates now: "per monitor, version 2".
std::string dpi_awareness();

}  // namespace da::actuator::win32
