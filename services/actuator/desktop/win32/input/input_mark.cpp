#include "services/actuator/desktop/win32/input/input_mark.h"

#include <random>

namespace da::actuator::win32 {

// Keeps to 31 bits: 0 is the value of devices, and touch input has a signature of its own in the upper bits.
std::uintptr_t new_input_mark() {
  std::random_device random;
  return std::uniform_int_distribution<std::uintptr_t>(1, 0x7fffffff)(random);
}

}  // namespace da::actuator::win32
