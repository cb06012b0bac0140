#include <malloc.h>
#include <unistd.h>

#include <fstream>

#include "lib/os/process/heap.h"

namespace da::os {
namespace {

constexpr std::size_t kMuch = 4 << 20;
constexpr int kArenas = 2;
constexpr int kLargeBlock = 32 << 10;  // gRPC receives in blocks of 64 KiB.

// 0 if it is unknown.
std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  if (!(statm >> total >> resident)) return 0;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void keep_large_blocks_apart() {
  ::mallopt(M_ARENA_MAX, kArenas);
  ::mallopt(M_MMAP_THRESHOLD, kLargeBlock);
}

void FreedMemory::give_back() {
  const std::size_t now = resident_bytes();
  if (now < before_ + kMuch) return;
  ::malloc_trim(0);
  before_ = resident_bytes();
}

}  // namespace da::os
