#include "services/actuator/desktop/x11/atspi/atspi_windows.h"

#include <algorithm>
#include <functional>

namespace da::actuator::x11 {
namespace {

bool same_size(const Rect& a, const Rect& b) { return a.width == b.width && a.height == b.height; }

int fit(const AccessibleFrame& frame, const DescribedWindow& window) {
  int points = 1;
  if (!frame.name.empty() && frame.name == window.info.title) points += 4;
  if (same_size(frame.extents, window.client) || same_size(frame.extents, window.info.bounds)) points += 2;
  if (frame.extents == window.client || frame.extents == window.info.bounds) points += 1;
  return points;
}

// Toolkits that do not know the place of their window (GTK4) report window coordinates, which start at 0,0, instead of
// screen coordinates. Others update the place of a moved window late, so a frame of the window's size gets its place.
Point offset_of(const AccessibleFrame& frame, const DescribedWindow& window) {
  const Point place{frame.extents.x, frame.extents.y};
  if (!frame.extents.empty()) {
    for (const Rect& rect : {window.client, window.info.bounds})
      if (same_size(frame.extents, rect)) return {rect.x - place.x, rect.y - place.y};
  }
  const bool own_coordinates = place == Point{};
  return own_coordinates ? Point{window.client.x, window.client.y} : Point{};
}

}  // namespace

std::vector<FrameWindow> match_frames(const std::vector<AccessibleFrame>& frames,
                                      const std::vector<DescribedWindow>& windows) {
  struct Pair {
    int points;
    std::size_t frame, window;
  };
  std::vector<Pair> pairs;
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t w = 0; w < windows.size(); ++w)
      if (frames[f].pid == windows[w].info.pid && frames[f].pid != 0)
        pairs.push_back({fit(frames[f], windows[w]), f, w});
  std::ranges::stable_sort(pairs, std::greater(), &Pair::points);
  std::vector<FrameWindow> found(frames.size());
  std::vector<bool> taken(windows.size());
  for (const Pair& pair : pairs) {
    if (taken[pair.window] || !found[pair.frame].window_id.empty()) continue;
    taken[pair.window] = true;
    const DescribedWindow& window = windows[pair.window];
    found[pair.frame] = {window.info.id, offset_of(frames[pair.frame], window)};
  }
  for (const Pair& pair : pairs) found[pair.frame].process_has_windows = true;
  return found;
}

}  // namespace da::actuator::x11
