// How many characters may wait in an application's queue: 4 at first, then as many as it has read in 20 ms, and 16 at
// most.
//
// What waits there still appears after a pause or the kill switch. And under Wine, an application receives what a
// person types, also the kill switch, only once its queue is empty. One thread.
#pragma once

#include <cstddef>

#include "lib/base/clock.h"

namespace da::actuator::win32 {

class TypingPace {
 public:
  static constexpr std::size_t kMost = 16;

  std::size_t characters() const { return characters_; }
  // The application has read `characters` within `time` after they were sent.
  void learn(std::size_t characters, Nanoseconds time);

 private:
  std::size_t characters_ = 4;
};

}  // namespace da::actuator::win32
