// Compiled only in the `faults` preset.
#include <signal.h>
#include <unistd.h>

#include "lib/os/fault_point/fault_point.h"

namespace da {

void kill_this_process() { ::kill(::getpid(), SIGKILL); }

}  // namespace da
