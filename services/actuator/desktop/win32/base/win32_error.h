// Translates the error numbers of Win32. Any thread.
#pragma once

#include <string_view>

#include "lib/base/error.h"

namespace da::actuator::win32 {

// `number`: of GetLastError(), read before any other call. The message ends with Windows' own text and the number.
Error win32_error(std::string_view attempted, unsigned long number);

}  // namespace da::actuator::win32
