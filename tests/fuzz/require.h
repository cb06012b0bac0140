// Checks a property of every input. A violation aborts, and the fuzzer keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace da::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace da::fuzz
