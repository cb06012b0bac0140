// The least that typing takes: all key events of a text at once by XTEST, no chunk, no grab, no look at who has the
// focus or whether a person is there, and then the answer to a ping behind the last key. Whoever waits until the text
// was read cannot be faster than that. Types what the keyboard has, alone or with Shift.
#pragma once

#include <string_view>

#include "lib/base/result.h"

namespace da::bench {

// On the display of the environment, into the window that has the focus; returns once it was read.
Result<void> type_bare(std::u32string_view text);

}  // namespace da::bench
