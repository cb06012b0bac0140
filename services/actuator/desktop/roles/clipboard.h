// Offers text to applications. desktop.h tells about coordinates, threads and errors.
#pragma once

#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator {

class Clipboard {
 public:
  virtual ~Clipboard() = default;
  // Offers the text until something else is copied.
  virtual Result<void> set_text(std::string_view text) = 0;
  // The next keys paste: from now on only a fetch by the application with the keyboard focus counts, not that of a
  // clipboard manager. What was on the clipboard before comes back at the end of this process only if the text was
  // fetched; an application that is late never gets the earlier content.
  virtual Result<void> expect_paste() = 0;
  // True once an application has fetched the text of set_text().
  virtual Result<bool> wait_until_fetched(MonoTime deadline) = 0;
};

}  // namespace da::actuator
