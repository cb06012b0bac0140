#include "services/actuator/desktop/win32/input/missed_input.h"

namespace da::actuator::win32 {

void MissedInput::seen(std::uint32_t tick) {
  seen_ = tick;
  unseen_since_.reset();
}

bool MissedInput::look(std::uint32_t last, std::uint32_t now) {
  const auto later = static_cast<std::int32_t>(last - seen_);
  if (later <= static_cast<std::int32_t>(kSlackMs)) {
    unseen_since_.reset();
    return false;
  }
  if (!unseen_since_) unseen_since_ = now;
  return now - *unseen_since_ >= kLatestMs;
}

}  // namespace da::actuator::win32
