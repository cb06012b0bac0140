// What must hold whatever the input is. A broken one ends the fuzzer with the input kept.
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
