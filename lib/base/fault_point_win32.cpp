// Compiled only with DA_FAULT_POINTS.
#include <windows.h>

#include "lib/base/fault_point.h"

namespace da {

void kill_this_process() { ::TerminateProcess(::GetCurrentProcess(), 9); }

}  // namespace da
