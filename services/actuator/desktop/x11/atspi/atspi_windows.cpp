#include "services/actuator/desktop/x11/atspi/atspi_windows.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

// Rounding of a place in logical pixels.
constexpr double kPlaceTolerance = 4;

bool is_global(const PlaceMap& map) {
  return std::abs(map.dx) <= kPlaceTolerance && std::abs(map.dy) <= kPlaceTolerance;
}

// 0,0 is also the place of each window that does not know its own.
bool has_own_place(const Rect& extents) { return extents.x != 0 || extents.y != 0; }

struct Pair {
  int points = 0;
  std::size_t frame = 0;
  std::size_t window = 0;
};

// 0: they do not match.
int points_of(const AccessibleFrame& frame, const DescribedWindow& window) {
  const auto map = measure(frame.extents, window);
  const bool same_title = !frame.name.empty() && frame.name == window.info.title;
  if (!map && !same_title && !frame.listed) return 0;
  int points = 1;
  if (same_title) points += 32;
  if (map) points += 16;
  if (map && has_own_place(frame.extents) && is_global(*map)) points += 8;
  // A new focus that contradicts what is known may not have reached the application yet.
  const bool known = frame.known_window == window.info.id;
  const bool contradicted = !frame.known_window.empty() && !known;
  if (frame.active && window.info.focused) points += contradicted ? 2 : 4;
  if (known) points += 2;
  if (frame.showing) points += 1;
  return points;
}

// Pairs with the same points, of which no frame and no window is matched yet.
class Tie {
 public:
  explicit Tie(std::vector<Pair> pairs) : open_(std::move(pairs)) {}

  // Takes out a pair that the others leave no choice for. nullopt when there is none.
  std::optional<Pair> take_certain() {
    for (const Pair& pair : open_) {
      const bool only_window = count(&Pair::frame, pair.frame) == 1;
      const bool only_frame = count(&Pair::window, pair.window) == 1;
      const bool certain = (only_window && others_have_another(pair, &Pair::window, &Pair::frame)) ||
                           (only_frame && others_have_another(pair, &Pair::frame, &Pair::window));
      if (!certain) continue;
      const Pair taken = pair;
      std::erase_if(open_,
                    [&](const Pair& other) { return other.frame == taken.frame || other.window == taken.window; });
      return taken;
    }
    return std::nullopt;
  }
  const std::vector<Pair>& open() const { return open_; }

 private:
  std::ptrdiff_t count(std::size_t Pair::*side, std::size_t index) const {
    return std::ranges::count(open_, index, side);
  }
  // Whether the pairs that share `shared` with this one have another choice.
  bool others_have_another(const Pair& pair, std::size_t Pair::*shared, std::size_t Pair::*other) const {
    return std::ranges::all_of(open_, [&](const Pair& rival) {
      return rival.*shared != pair.*shared || rival.*other == pair.*other || count(other, rival.*other) > 1;
    });
  }

  std::vector<Pair> open_;
};

std::string place_text(const Rect& rect) {
  return std::to_string(rect.width) + "x" + std::to_string(rect.height) + " pixels at " + std::to_string(rect.x) + "," +
         std::to_string(rect.y);
}

void place(const AccessibleFrame& frame, const DescribedWindow& window, FrameWindow& found) {
  found.window_id = window.info.id;
  if (frame.extents.empty()) return;
  if (const auto map = measure(frame.extents, window)) {
    found.map = *map;
  } else if (const auto rough = measure_roughly(frame.extents, window, frame.known_scale > 0 ? frame.known_scale : 1)) {
    found.map = *rough;
  } else {
    found.unplaced = "its application reports a window of " + place_text(frame.extents) + ", but the window has " +
                     place_text(window.client);
  }
}

std::string doubt(const AccessibleFrame& frame, std::ptrdiff_t windows) {
  return "its application has " + std::to_string(windows) + " windows like " + quote_foreign(frame.name, 80) +
         " and does not tell which of them is which: bring one of them to the front, or close the others";
}

}  // namespace

std::vector<FrameWindow> match_frames(const std::vector<AccessibleFrame>& frames,
                                      const std::vector<DescribedWindow>& windows) {
  std::vector<FrameWindow> found(frames.size());
  std::vector<Pair> pairs;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    for (std::size_t w = 0; w < windows.size(); ++w) {
      if (frames[f].pid != windows[w].info.pid || frames[f].pid == 0) continue;
      found[f].process_has_windows = true;
      if (const int points = points_of(frames[f], windows[w]); points > 0) pairs.push_back({points, f, w});
    }
  }
  std::ranges::stable_sort(pairs, std::greater(), &Pair::points);
  std::vector<bool> placed(frames.size());
  std::vector<bool> taken(windows.size());
  std::vector<bool> doubtful(windows.size());
  for (auto from = pairs.begin(); from != pairs.end();) {
    const auto to = std::find_if(from, pairs.end(), [&](const Pair& pair) { return pair.points != from->points; });
    std::vector<Pair> open(from, to);
    std::erase_if(open, [&](const Pair& pair) { return placed[pair.frame] || taken[pair.window]; });
    Tie tie(std::move(open));
    while (const auto pair = tie.take_certain()) {
      placed[pair->frame] = taken[pair->window] = true;
      place(frames[pair->frame], windows[pair->window], found[pair->frame]);
    }
    for (const Pair& pair : tie.open()) {
      placed[pair.frame] = taken[pair.window] = doubtful[pair.window] = true;
      found[pair.frame].unplaced = doubt(frames[pair.frame], std::ranges::count(tie.open(), pair.frame, &Pair::frame));
    }
    from = to;
  }
  // Such a window may belong to a frame that fits it less.
  for (const Pair& pair : pairs) {
    if (!placed[pair.frame] && doubtful[pair.window])
      found[pair.frame].unplaced = doubt(frames[pair.frame], std::ranges::count(doubtful, true));
  }
  return found;
}

std::optional<PlaceMap> common_map(const std::vector<AccessibleFrame>& frames, const std::vector<FrameWindow>& places) {
  std::optional<PlaceMap> common;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const bool measured = !places[i].window_id.empty() && places[i].unplaced.empty() && !frames[i].extents.empty();
    const bool of_all_windows = has_own_place(frames[i].extents) || is_global(places[i].map);
    if (measured && of_all_windows && (!common || frames[i].active)) common = places[i].map;
  }
  return common;
}

std::optional<PlaceMap> map_of_unlisted(const AccessibleFrame& frame, std::span<const DescribedWindow> unlisted,
                                        const std::optional<PlaceMap>& common) {
  for (const DescribedWindow& window : unlisted) {
    if (window.info.pid != frame.pid || frame.pid == 0) continue;
    const auto map = measure(frame.extents, window);
    if (map && (is_global(*map) || (common && same_scale(map->scale, common->scale)))) return map;
  }
  if (common) return common;
  // A process of another namespace.
  const bool is_there = std::ranges::any_of(unlisted, [&](const DescribedWindow& window) {
    return frame.extents == window.client || frame.extents == window.info.bounds;
  });
  return is_there ? std::optional(PlaceMap{}) : std::nullopt;
}

}  // namespace da::actuator::x11
