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
  // True once an application has fetched the text of set_text().
  virtual Result<bool> wait_until_fetched(MonoTime deadline) = 0;
};

}  // namespace da::actuator
