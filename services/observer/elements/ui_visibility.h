// Computes the visible part of elements: inside their window, and not under another window. What covers is what the
// desktop itself tells about clicks (ClickArea: shapes, notifications, shaded windows), not the list of windows; only
// recordings from before lack it. Borrows the windows. Pure; any thread. Desktop pixels.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::observer {

struct Scene {
  std::span<const v1::Window* const> windows;  // Front to back.
  Rect desktop;
  std::span<const v1::ClickArea* const> click_areas = {};  // Front to back; empty: unknown, the windows' bounds count.
};

// A window where it takes clicks.
struct Layer {
  std::string_view window_id;
  std::string_view owner_id;  // The listed window to which it belongs.
  std::string_view title;
  std::string_view executable;
  std::uint32_t pid = 0;
  bool listed = true;
  bool grabs_clicks = false;  // An open menu: a click elsewhere only closes it.
  bool only_shows = false;    // A tooltip or a notification.
  std::vector<Rect> parts;

  bool contains(Point point) const;
  Rect bounds() const;
};

// The layer for people: `the window "Mail"`, `"Update" of notifyd, which is no ordinary window`.
std::string in_words(const Layer& layer);

// The largest rectangle in `area` that contains `point` and nothing of `cover`, which must not contain the point.
Rect largest_free_part(Point point, const Rect& area, const Rect& cover);

class Visibility {
 public:
  explicit Visibility(const Scene& scene);

  // Null if its window is not in the list: for menus, and if the application does not report it.
  const v1::Window* window_of(const v1::UiNode& node) const;

  // The part inside its window, also if another window covers it; empty if it does not show there.
  Rect visible(const v1::UiNode& node) const;

  // The window that shows at this point, or whose popup shows there; null if none of the list does. A shaded window,
  // and a hole in a shaped one, show what is behind.
  const v1::Window* window_at(Point point) const;

  // What would get a click at this point instead of `own`, or null. If `own` is null, any window at this point. Menus
  // and tooltips of `own` do not count: PopupAreas knows them by their elements.
  const Layer* cover_of(const v1::Window* own, Point point) const;
  bool is_covered(const v1::Window* own, Point point) const { return cover_of(own, point) != nullptr; }

  // Returns the menu or bubble of `own` that is in front of it at this point, or null.
  const Layer* popup_at(const v1::Window& own, Point point) const;

  // Returns what covers another part of the layer at this point, or null if that layer shows whole.
  const Layer* cover_beside(Point point) const;
  // Returns what covers a part of the window, or null.
  const Layer* cover_of_part(const v1::Window& window) const;

  // Menus that get each click now, front to back.
  std::vector<Layer> open_menus() const;

  // The part of `area` around its center that windows in front of `own` leave free; empty if one covers the center.
  Rect uncovered(const v1::Window* own, const Rect& area) const;

 private:
  bool covers(const Layer& layer, const v1::Window* own) const;
  const Layer* in_front_of(std::vector<Layer>::const_iterator whole) const;

  const Scene scene_;
  std::unordered_map<std::string_view, const v1::Window*> windows_;
  std::vector<Layer> layers_;  // Front to back.
};

}  // namespace da::observer
