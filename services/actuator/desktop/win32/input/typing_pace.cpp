#include "services/actuator/desktop/win32/input/typing_pace.h"

#include <algorithm>

namespace da::actuator::win32 {
namespace {

constexpr Milliseconds kTimeBehind{20};

}  // namespace

// Grows slowly, because one quick reading says little: an application draws a new line, or a dialog, later.
void TypingPace::learn(std::size_t characters, Nanoseconds time) {
  const auto read = static_cast<double>(characters) * static_cast<double>(Nanoseconds(kTimeBehind).count()) /
                    static_cast<double>(std::max<std::int64_t>(time.count(), 1));
  const auto most = static_cast<double>(std::min(kMost, 2 * characters_));
  characters_ = static_cast<std::size_t>(std::clamp(read, 1.0, most));
}

}  // namespace da::actuator::win32
