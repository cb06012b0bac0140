// Compiled only with DA_FAULT_POINTS.
#include "lib/os/fault_point/fault_point.h"

#include "lib/os/win32.h"

namespace da {

// Not os::end_process(), after which other programs under Wine do not see the exit code.
void kill_this_process() { ::TerminateProcess(::GetCurrentProcess(), 9); }

}  // namespace da
