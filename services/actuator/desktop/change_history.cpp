#include "services/actuator/desktop/change_history.h"

#include <algorithm>

namespace da::actuator {

void ChangeHistory::add(std::span<const Rect> areas) {
  std::vector<Rect> changed;
  std::ranges::copy_if(areas, std::back_inserter(changed), [](const Rect& area) { return !area.empty(); });
  if (changed.empty()) return;
  // A program that draws many small areas is remembered by the rectangle around them.
  if (changed.size() > kMaxAreas / 4) {
    Rect all;
    for (const Rect& area : changed) all = bounding(all, area);
    changed = {all};
  }
  areas_ += changed.size();
  batches_.push_back({++now_, std::move(changed)});
  while (areas_ > kMaxAreas) {
    areas_ -= batches_.front().areas.size();
    oldest_ = batches_.front().generation;
    batches_.pop_front();
  }
}

void ChangeHistory::add_everything() {
  batches_.clear();
  areas_ = 0;
  oldest_ = ++now_;
}

std::optional<std::vector<Rect>> ChangeHistory::since(std::uint64_t generation) const {
  if (generation < oldest_ || generation > now_) return std::nullopt;
  std::vector<Rect> areas;
  for (const Batch& batch : batches_) {
    if (batch.generation > generation) areas.insert(areas.end(), batch.areas.begin(), batch.areas.end());
  }
  return areas;
}

}  // namespace da::actuator
