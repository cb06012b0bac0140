#include "services/actuator/proof/repeated_drawing.h"

namespace da::actuator {

void RepeatedDrawing::note(MonoTime at, std::span<const Rect> areas) {
  for (const Rect& area : areas) {
    if (!area.empty()) drawn_.push_back({at, area});
  }
  while (!drawn_.empty() && (drawn_.size() > kMaxAreas || drawn_.front().at < at - kMemory)) drawn_.pop_front();
}

std::vector<Rect> RepeatedDrawing::between(MonoTime from, MonoTime to) const {
  std::vector<Rect> repeated;
  for (std::size_t later = 0; later < drawn_.size(); ++later) {
    const auto& [at, area] = drawn_[later];
    if (at < from || at > to) continue;
    Rect joined;
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const Drawn& other = drawn_[earlier];
      if (other.at < from || at - other.at < kApart || intersection(other.area, area).empty()) continue;
      joined = bounding(joined, bounding(other.area, area));
    }
    if (!joined.empty()) repeated.push_back(joined);
  }
  return repeated;
}

}  // namespace da::actuator
