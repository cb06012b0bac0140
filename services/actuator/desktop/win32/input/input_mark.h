// The value that this process attaches to each input it sends (dwExtraInfo), so that it knows its own input. Random for
// each start, so that other programs do not use it by chance. Any thread.
#pragma once

#include <cstdint>

namespace da::actuator::win32 {

std::uintptr_t new_input_mark();

}  // namespace da::actuator::win32
