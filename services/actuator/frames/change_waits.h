// Waits until the frame that a caller knows may be out of date. Waits beside each other; each has a DrawingWatch, which
// is kept for later waits. Any thread. The screen and the clock must outlive it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "services/actuator/desktop/roles/screen.h"

namespace da::actuator {

class ChangeWaits {
 public:
  static constexpr int kMostWaits = 8;

  struct Wait {
    std::vector<Rect> areas;  // Only drawing in these counts. Desktop pixels.
    // Call `has_changed` also after drawing elsewhere, and twice a second, because a window may have changed.
    bool windows = false;
    MonoTime deadline;
    std::stop_token stop;
  };
  // When the caller's frame is compared with the desktop.
  enum class Look {
    kFirst,  // Drawing is watched from before this look on.
    kLater,
    kLast,  // Made at the deadline.
  };
  using HasChanged = std::function<Result<bool>(Look)>;

  ChangeWaits(Screen& screen, const Clock& clock) : screen_(screen), clock_(clock) {}

  // True: the frame may be out of date; false: it was not at the deadline. kResourceExhausted: kMostWaits are under
  // way; kCancelled; or the error of `has_changed`.
  Result<bool> wait(const Wait& wait, const HasChanged& has_changed);

 private:
  Result<std::unique_ptr<DrawingWatch>> begin();
  void end(std::unique_ptr<DrawingWatch> watch);
  Result<bool> watch_until(DrawingWatch& watch, const Wait& wait, const HasChanged& has_changed) const;

  Screen& screen_;
  const Clock& clock_;
  std::mutex mutex_;
  int under_way_ = 0;
  std::vector<std::unique_ptr<DrawingWatch>> idle_;
};

}  // namespace da::actuator
