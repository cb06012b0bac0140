#include <malloc.h>

#include "lib/os/process/heap.h"

namespace da::os {
namespace {

constexpr int kLargeBlock = 256 << 10;  // Larger blocks are mapped, each by itself.
constexpr int kMostKept = 1 << 20;      // At the end of each arena.
constexpr int kArenas = 2;

}  // namespace

// Each of them turns off glibc's own adaptation, which raises the limits to 32 and 64 MiB.
void return_freed_memory() {
  ::mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  ::mallopt(M_TRIM_THRESHOLD, kMostKept);
  ::mallopt(M_ARENA_MAX, kArenas);
}

}  // namespace da::os
