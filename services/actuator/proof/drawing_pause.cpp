#include "services/actuator/proof/drawing_pause.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace da::actuator {
namespace {

constexpr std::ptrdiff_t kMostDrawn = 1'000;

}  // namespace

void DrawingPause::arm() {
  drawn_.clear();
  if (!watch_) {
    if (auto watch = screen_.watch_drawing()) watch_ = *std::move(watch);
  }
  if (watch_ && !watch_->arm()) watch_.reset();
}

void DrawingPause::read_drawing(MonoTime deadline) {
  const auto areas = watch_->next(deadline, {});
  if (!areas) return watch_.reset();
  drawn_.insert(drawn_.end(), areas->begin(), areas->end());
  if (std::ssize(drawn_) > kMostDrawn) drawn_.erase(drawn_.begin(), drawn_.end() - kMostDrawn);
}

bool DrawingPause::has_drawn_in(const Rect& area) {
  if (watch_) read_drawing(clock_.now());
  if (!watch_) return true;
  return std::ranges::any_of(drawn_, [&](const Rect& each) { return !intersection(each, area).empty(); });
}

bool DrawingPause::await_drawing(MonoTime deadline, const Checkpoint& checkpoint) {
  if (clock_.now() >= deadline) return false;
  if (must_stop_waiting(checkpoint)) return false;
  const MonoTime until = std::min(deadline, clock_.now() + kBetweenLooks);
  if (watch_) {
    read_drawing(until);
  } else {
    (void)screen_.wait_quiet(kBetweenLooks, until);
  }
  return true;
}

}  // namespace da::actuator
