// The memory that a process keeps after it has been freed. glibc keeps it for later, even if a flood of large messages
// on many threads has made it ten times as much as the process ever needs again.
#pragma once

#include <cstddef>

namespace da::os {

// Call it in a process that peers can flood, before the second thread starts. Blocks of a message are mapped, each by
// itself, so that small blocks which stay do not keep the pages between them; and there are few arenas, each of which
// keeps memory of its own. Costs a page fault for each 4 KiB of a large block.
void keep_large_blocks_apart();

// Returns the kept memory to the system, if the process has become much larger since this was done last. Takes a few
// milliseconds then, otherwise microseconds. One thread calls it, from time to time. Does nothing in a process that is
// confined without /proc.
class FreedMemory {
 public:
  void give_back();

 private:
  std::size_t before_ = 0;  // Resident bytes when it was done last.
};

}  // namespace da::os
