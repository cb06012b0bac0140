// The memory that a process keeps after it has been freed. glibc keeps tens of MiB for each of its arenas once large
// messages have been received on many threads, so that a flood of them would make the process larger for ever.
#pragma once

namespace da::os {

// Large blocks are returned to the system when they are freed, and few arenas exist. Before the second thread starts.
// Costs a page fault for each 4 KiB of a large block, so it is not for processes that copy whole frames.
void return_freed_memory();

}  // namespace da::os
