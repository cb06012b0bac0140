// When the cycles of a run begin: at the ticks of the profile's interval, and earlier when the screen has changed.
// Early cycles are bounded, so that a video in a region does not keep a core busy: each waits four times as long as the
// last look took, and at least kShortestGap. Pure: the caller gives the times. One thread at a time.
#pragma once

#include <cstdint>

#include "lib/base/clock.h"

namespace da::planner::rules {

class CyclePace {
 public:
  static constexpr Milliseconds kShortestGap{40};
  static constexpr int kGapPerWork = 4;

  explicit CyclePace(Nanoseconds interval) : interval_(interval) {}

  // A cycle begins. The first one, and each that begins at a tick or later, sets the next tick one interval later.
  // Early cycles do not move it.
  void begin(MonoTime now);
  // The cycle has looked at the screen and evaluated the rules until `now`, which took `work`.
  void looked(MonoTime now, Nanoseconds work);

  MonoTime begun() const { return begun_; }
  // A rule that acts or fails in a cycle does not act before, so early cycles make no rule act more often.
  MonoTime rested() const { return begun_ + interval_; }
  MonoTime next_tick() const { return next_tick_; }
  // The first tick from the next one on that is not before `time`.
  MonoTime tick_from(MonoTime time) const;
  // The earliest begin of an early cycle; at most the next tick.
  MonoTime early_from() const { return early_from_ < next_tick_ ? early_from_ : next_tick_; }
  // Passes over the ticks before `now`, at which there was nothing to do. Returns how many.
  std::uint64_t skip_ticks(MonoTime now);

 private:
  const Nanoseconds interval_;
  MonoTime begun_{};
  MonoTime next_tick_{};
  MonoTime early_from_{};
};

}  // namespace da::planner::rules
