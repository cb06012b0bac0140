// The shape of the cursor that Windows shows. Any thread.
#pragma once

#include <windows.h>

#include "services/actuator/desktop/roles/screen.h"

namespace da::actuator::win32 {

// kUnknown for cursors of applications' own, also when they look like one of Windows'. Wine gives each process handles
// of its own, so that other processes' cursors are unknown there.
Result<CursorShape> current_cursor_shape();
CursorShape shape_of_cursor(HCURSOR cursor);

}  // namespace da::actuator::win32
