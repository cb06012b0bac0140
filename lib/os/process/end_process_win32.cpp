#include "lib/os/process/end_process.h"

#include <cstdlib>

#include "lib/os/win32.h"

namespace da::os {

// _exit() calls each library's end routine, which may wait for a lock that an ended thread held.
void end_process(int exit_code) {
  ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(exit_code));
  std::abort();
}

}  // namespace da::os
