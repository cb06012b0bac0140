#include "lib/os/process/heap.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <vector>

namespace da::os {
namespace {

long resident_kib() {
  std::ifstream status("/proc/self/statm");
  long total = 0;
  long pages = 0;
  status >> total >> pages;
  return pages * 4;
}

// Blocks too small to be mapped each by itself, with some that stay between them, as a flood of messages leaves them.
TEST(FreedMemory, IsGivenBackAlthoughSomeBlocksStay) {
  FreedMemory freed;
  freed.give_back();
  const long before = resident_kib();
  std::vector<std::unique_ptr<char[]>> kept;
  {
    std::vector<std::unique_ptr<char[]>> flood;
    for (int i = 0; i < 1000; ++i) {
      flood.push_back(std::make_unique<char[]>(64 << 10));
      kept.push_back(std::make_unique<char[]>(64));
    }
    EXPECT_GT(resident_kib(), before + (50 << 10));
  }
  EXPECT_GT(resident_kib(), before + (30 << 10)) << "glibc keeps it";
  freed.give_back();
  EXPECT_LT(resident_kib(), before + (10 << 10));
}

}  // namespace
}  // namespace da::os
