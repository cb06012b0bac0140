#include "services/actuator/desktop/x11/atspi/atspi_kept.h"

#include <algorithm>
#include <set>

namespace da::actuator::x11 {
namespace {

// Bounds the memory for applications that have ended.
constexpr std::size_t kMostKept = 64;
// More rectangles are merged into one: typing draws one per letter.
constexpr std::size_t kMostDrawn = 16;
// Asking about one node costs about as much as reading three.
constexpr std::size_t kLargestShare = 3;

void add_drawn(KeptTree& kept, const std::vector<Rect>& drawn) {
  for (const Rect& rect : drawn) {
    if (const Rect within = intersection(rect, kept.where); !within.empty()) kept.drawn.push_back(within);
  }
  if (kept.drawn.size() <= kMostDrawn) return;
  Rect all;
  for (const Rect& rect : kept.drawn) all = bounding(all, rect);
  kept.drawn = {all};
}

}  // namespace

void KeptTrees::look() {
  const auto changes = changes_->take();
  if (!changes || changes->windows) return kept_.clear();
  for (auto& [key, kept] : kept_) add_drawn(kept, changes->drawn);
}

KeptTree* KeptTrees::find(const Key& key, Milliseconds max_age) {
  const auto found = kept_.find(key);
  const bool fresh = found != kept_.end() && clock_.now() - found->second.read_at <= max_age;
  return fresh ? &found->second : nullptr;
}

void KeptTrees::keep(const Key& key, KeptTree tree) {
  if (kept_.size() >= kMostKept) kept_.clear();
  kept_.insert_or_assign(key, std::move(tree));
}

bool same_frames(const std::vector<AccessibleNode>& a, const std::vector<AccessibleNode>& b) {
  return std::ranges::equal(a, b, [](const AccessibleNode& one, const AccessibleNode& other) {
    return one.ref == other.ref && one.role == other.role && one.states == other.states && one.name == other.name &&
           one.extents == other.extents;
  });
}

std::optional<std::vector<AccessibleNode>> touched(const KeptTree& kept) {
  std::vector<AccessibleNode> found;
  std::set<ElementHandle> hits;
  for (std::size_t i = 0; i < kept.nodes.size(); ++i) {
    const Element& element = kept.tree.elements[i];
    const bool shows = element.has(ElementState::kShowing);
    const bool hit = std::ranges::any_of(
        kept.drawn, [&](const Rect& drawn) { return !intersection(drawn, element.visible).empty(); });
    if (hit) hits.insert(element.handle);
    if (!hit && (shows || !hits.contains(element.parent))) continue;
    // Such rows have estimated properties, which cannot be compared with their own.
    if (kept.nodes[i].only_listed || !kept.nodes[i].unplaced.empty()) return std::nullopt;
    found.push_back(kept.nodes[i]);
  }
  if (found.size() * kLargestShare > kept.nodes.size()) return std::nullopt;
  return found;
}

}  // namespace da::actuator::x11
