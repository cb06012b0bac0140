// Lets at most one log line a second through: hostile facts must not fill the log. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "lib/base/clock.h"

namespace da::recorder {

class LogLimit {
 public:
  // The number of lines that were held back before this one; nullopt if it is held back itself.
  std::optional<std::uint64_t> pass(MonoTime now) {
    if (last_ && now - *last_ < Milliseconds(1'000)) {
      ++held_back_;
      return std::nullopt;
    }
    last_ = now;
    return std::exchange(held_back_, 0);
  }

 private:
  std::optional<MonoTime> last_;
  std::uint64_t held_back_ = 0;
};

}  // namespace da::recorder
