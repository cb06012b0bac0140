#include "services/actuator/desktop/x11/atspi/atspi_frame_memory.h"

#include <algorithm>

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kSettled{200};
// Bounds the memory for closed windows and ended applications.
constexpr std::size_t kMostFrames = 1'000;

bool equal(const std::string& a, const std::string& b) { return a == b; }
bool equal(double a, double b) { return same_scale(a, b); }

}  // namespace

template <class T>
void FrameMemory::Seen<T>::see(const T& now_seen, MonoTime now) {
  if (!equal(newer, now_seen)) {
    newer = now_seen;
    newer_since = now;
  }
  if (now - newer_since >= kSettled) known = newer;
}

void FrameMemory::recall(std::span<const AccessibleNode> nodes, std::vector<AccessibleFrame>& frames) const {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto known = frames_.find({nodes[i].ref.bus, nodes[i].ref.path});
    if (known == frames_.end()) continue;
    frames[i].known_window = known->second.window.known;
    frames[i].known_scale = known->second.scale.known;
  }
}

void FrameMemory::learn(std::span<const AccessibleNode> nodes, const std::vector<AccessibleFrame>& frames,
                        const std::vector<DescribedWindow>& windows, std::vector<FrameWindow>& places) {
  const MonoTime now = clock_.now();
  if (frames_.size() > kMostFrames) forget_all();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    FrameWindow& place = places[i];
    if (place.window_id.empty()) continue;
    KnownFrame& known = frames_[{nodes[i].ref.bus, nodes[i].ref.path}];
    const auto window = std::ranges::find(windows, place.window_id, [](const auto& each) { return each.info.id; });
    if (frames[i].active && window != windows.end() && window->info.focused) known.window.see(place.window_id, now);
    if (!place.unplaced.empty() || frames[i].extents.empty()) continue;
    if (known.scale.known == 0) known.scale = {place.map.scale, place.map.scale, now};
    known.scale.see(place.map.scale, now);
    if (!same_scale(known.scale.known, place.map.scale))
      place.unplaced = "its application has just changed the scale or the size of its window";
  }
  if (const auto common = x11::common_map(frames, places); common && !nodes.empty())
    common_.insert_or_assign(nodes.front().ref.bus, *common);
}

std::optional<PlaceMap> FrameMemory::common_map_of(const std::string& bus_name) const {
  const auto found = common_.find(bus_name);
  return found == common_.end() ? std::nullopt : std::optional(found->second);
}

void FrameMemory::forget_all() {
  frames_.clear();
  common_.clear();
}

}  // namespace da::actuator::x11
