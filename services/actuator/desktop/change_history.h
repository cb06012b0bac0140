// Remembers which areas of a screen changed, so that a caller with an older frame learns where that frame may be wrong.
//
// Each batch of changes begins a new generation. Generation 0 names no moment: everything may have changed since.
// Bounded: old changes are forgotten, and then the answer is that everything may have changed. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "lib/base/geometry.h"

namespace da::actuator {

class ChangeHistory {
 public:
  static constexpr std::size_t kMaxAreas = 1'024;

  // The current generation. Never 0.
  std::uint64_t now() const { return now_; }
  // Ignores empty areas. Without any other, the generation stays.
  void add(std::span<const Rect> areas);
  // Anything may have changed, as after a change of the layout.
  void add_everything();
  // The areas that have changed since `generation`; nullopt: everything may have changed.
  std::optional<std::vector<Rect>> since(std::uint64_t generation) const;

 private:
  struct Batch {
    std::uint64_t generation;  // The batch was added at the beginning of this generation.
    std::vector<Rect> areas;
  };

  std::uint64_t now_ = 1;
  std::uint64_t oldest_ = 1;  // The oldest generation whose later changes are all known.
  std::deque<Batch> batches_;
  std::size_t areas_ = 0;  // Number of areas in batches_.
};

}  // namespace da::actuator
