// Ends this process at once: no destructor runs, and nothing waits for another thread. Any thread.
#pragma once

namespace da::os {

[[noreturn]] void end_process(int exit_code);

}  // namespace da::os
