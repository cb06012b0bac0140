#include "services/planner/rules/run/cycle_pace.h"

#include <algorithm>

namespace da::planner::rules {

void CyclePace::begin(MonoTime now) {
  begun_ = now;
  if (now >= next_tick_) next_tick_ = now + interval_;
}

void CyclePace::looked(MonoTime now, Nanoseconds work) {
  early_from_ = now + std::max<Nanoseconds>(kShortestGap, kGapPerWork * work);
}

MonoTime CyclePace::tick_from(MonoTime time) const {
  if (time <= next_tick_) return next_tick_;
  const auto ticks = (time - next_tick_ + interval_ - Nanoseconds(1)) / interval_;
  return next_tick_ + ticks * interval_;
}

std::uint64_t CyclePace::skip_ticks(MonoTime now) {
  if (now <= next_tick_) return 0;
  const auto ticks = (now - next_tick_ + interval_ - Nanoseconds(1)) / interval_;
  next_tick_ += ticks * interval_;
  return static_cast<std::uint64_t>(ticks);
}

}  // namespace da::planner::rules
