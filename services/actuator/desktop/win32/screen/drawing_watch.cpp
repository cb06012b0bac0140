#include "services/actuator/desktop/win32/screen/drawing_watch.h"

#include <algorithm>

#include "services/actuator/desktop/win32/screen/screen_rest.h"

namespace da::actuator::win32 {

Result<void> Win32DrawingWatch::arm() {
  ASSIGN_OR_RETURN(generation_, duplication_.generation(virtual_desktop()));
  return ok();
}

Result<std::vector<Rect>> Win32DrawingWatch::next(MonoTime deadline, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    const Rect desktop = virtual_desktop();
    ASSIGN_OR_RETURN(const std::uint64_t now, duplication_.generation(desktop));
    if (now != generation_) {
      ASSIGN_OR_RETURN(const auto areas, duplication_.changed_since(desktop, generation_));
      generation_ = now;
      return areas.value_or(std::vector<Rect>{desktop});
    }
    const Nanoseconds left = deadline - clock_.now();
    if (left <= Nanoseconds(0)) break;
    stopped.wait_for(lock, stop, std::min<Nanoseconds>(kBetweenLooks, left), [] { return false; });
  }
  return std::vector<Rect>();
}

}  // namespace da::actuator::win32
