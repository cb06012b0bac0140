#include "lib/os/process/heap.h"

namespace da::os {

void keep_large_blocks_apart() {}

// Windows' heap returns freed memory by itself.
void FreedMemory::give_back() {}

}  // namespace da::os
