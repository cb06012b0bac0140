// Reads where a window takes clicks: the part of its place that is inside both its bounding and its input shape (XShape
// 1.1). Uses the caller's connection and thread.
#pragma once

#include <xcb/shape.h>

#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

// The requests under way, so that many windows take one round trip.
struct ShapeQuestion {
  xcb_get_geometry_cookie_t geometry{};
  xcb_shape_get_rectangles_cookie_t bounding{};
  xcb_shape_get_rectangles_cookie_t input{};
};

class WindowShapes {
 public:
  explicit WindowShapes(Connection& connection)
      : connection_(&connection), has_shapes_(connection.extension(xcb_shape_id) != nullptr) {}

  // `window` must be a child of the root.
  ShapeQuestion ask(xcb_window_t window) const;
  // Disjoint rectangles on the desktop; none for a gone window. A very ragged shape is replaced by the rectangle around
  // it.
  std::vector<Rect> take(const ShapeQuestion& question) const;

 private:
  std::vector<Rect> rectangles(xcb_shape_get_rectangles_cookie_t cookie) const;

  Connection* connection_;
  bool has_shapes_;
};

}  // namespace da::actuator::x11
