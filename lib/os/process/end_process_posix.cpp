#include <unistd.h>

#include "lib/os/process/end_process.h"

namespace da::os {

void end_process(int exit_code) { ::_exit(exit_code); }

}  // namespace da::os
