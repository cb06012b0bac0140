// The lower limit of typing time: sends all key events of a text at once by XTEST, without chunks, grabs or checks of
// focus and user activity, and then waits for the answer to a ping after the last key. Types only characters that the
// keyboard has, alone or with Shift.
#pragma once

#include <string_view>

#include "lib/base/result.h"

namespace da::bench {

// Types into the focused window on $DISPLAY; returns once the application has read the text.
Result<void> type_bare(std::u32string_view text);

}  // namespace da::bench
