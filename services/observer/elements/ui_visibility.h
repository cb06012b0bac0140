// Computes the visible part of elements: inside their window, and not under another window. Borrows the windows. Pure;
// any thread. Desktop pixels.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::observer {

struct Scene {
  std::span<const v1::Window* const> windows;  // Front to back.
  Rect desktop;
};

// The largest rectangle in `area` that contains `point` and nothing of `cover`, which must not contain the point.
Rect largest_free_part(Point point, const Rect& area, const Rect& cover);

class Visibility {
 public:
  explicit Visibility(const Scene& scene);

  // Null if its window is not in the list: for menus, and if the application does not report it.
  const v1::Window* window_of(const v1::UiNode& node) const;

  // The part inside its window, also if another window covers it; empty if it does not show there.
  Rect visible(const v1::UiNode& node) const;

  // The window in front of `own` at this point, or null. If `own` is null, any window at this point.
  const v1::Window* cover_of(const v1::Window* own, Point point) const;
  bool is_covered(const v1::Window* own, Point point) const { return cover_of(own, point) != nullptr; }

  // The part of `area` around its center that windows in front of `own` leave free; empty if one covers the center.
  Rect uncovered(const v1::Window* own, const Rect& area) const;

 private:
  const Scene scene_;
  std::unordered_map<std::string_view, const v1::Window*> windows_;
};

}  // namespace da::observer
