// What of the elements a person can see: what shows, inside its window, not under another window or an open menu.
// Borrows tree and windows. Pure; any thread. Desktop pixels.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::observer {

// What the elements are judged in.
struct Scene {
  std::span<const v1::Window* const> windows;  // Front to back.
  Rect desktop;
};

// The largest rectangle of the area that the cover leaves and that holds the point; the cover must not hold it.
Rect left_around(Point point, const Rect& area, const Rect& cover);

class Visibility {
 public:
  explicit Visibility(const Scene& scene);

  // Null where its window is not in the list: of menus and of applications that do not say.
  const v1::Window* window_of(const v1::UiNode& node) const;

  // Empty where it does not show, or has no place inside its window. What hides it is not asked.
  Rect visible(const v1::UiNode& node) const;

  // The window in front of `own` that is at this point, null where none is; of no own window: any that is there.
  const v1::Window* cover_of(const v1::Window* own, Point point) const;
  bool is_covered(const v1::Window* own, Point point) const { return cover_of(own, point) != nullptr; }

  // What windows in front of `own` leave of the area around its centre, as a rectangle; empty where one is over that.
  Rect uncovered(const v1::Window* own, const Rect& area) const;

 private:
  const Scene scene_;
  std::unordered_map<std::string_view, const v1::Window*> windows_;
};

}  // namespace da::observer
