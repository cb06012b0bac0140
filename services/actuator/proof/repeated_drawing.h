// Remembers what was drawn during the last seconds, and tells which areas are drawn again and again: a clock, an
// animation, a video. A change there does not show that an action had an effect. Bounded; not thread-safe.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"

namespace da::actuator {

class RepeatedDrawing {
 public:
  // Long enough for three ticks of a clock that shows seconds.
  static constexpr Milliseconds kMemory{2'500};
  // Drawings that are closer to each other are one: an application draws a new dialog in several parts.
  static constexpr Milliseconds kApart{200};
  static constexpr std::size_t kMaxAreas = 256;

  // Call it in the order of time. The oldest areas are forgotten where there are too many.
  void note(MonoTime at, std::span<const Rect> areas);
  // The areas that were drawn at two or more moments within [from, to].
  std::vector<Rect> between(MonoTime from, MonoTime to) const;

 private:
  struct Drawn {
    MonoTime at;
    Rect area;
  };
  std::deque<Drawn> drawn_;
};

}  // namespace da::actuator
