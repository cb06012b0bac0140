// Allows one actuator per session: it owns a named mutex of the session as long as it lives. Any thread.
#pragma once

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/win32/base/handles.h"

namespace da::actuator::win32 {

// Waits until the deadline for a predecessor that is just ending. The mutex exists as long as the handle is open: no
// thread ever owns it. Errors: kAlreadyExists.
Result<UniqueKernelHandle> claim_session(MonoTime deadline, const Clock& clock);

}  // namespace da::actuator::win32
