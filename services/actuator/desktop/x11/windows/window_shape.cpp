#include "services/actuator/desktop/x11/windows/window_shape.h"

namespace da::actuator::x11 {
namespace {

// Rounded corners take some 20.
constexpr std::size_t kMostRectangles = 64;

std::vector<Rect> simplified(std::vector<Rect> parts) {
  if (parts.size() <= kMostRectangles) return parts;
  Rect around;
  for (const Rect& part : parts) around = bounding(around, part);
  return {around};
}

}  // namespace

ShapeQuestion WindowShapes::ask(xcb_window_t window) const {
  xcb_connection_t* const x = connection_->get();
  ShapeQuestion question{xcb_get_geometry(x, window), {}, {}};
  if (!has_shapes_) return question;
  question.bounding = xcb_shape_get_rectangles(x, window, XCB_SHAPE_SK_BOUNDING);
  question.input = xcb_shape_get_rectangles(x, window, XCB_SHAPE_SK_INPUT);
  return question;
}

std::vector<Rect> WindowShapes::rectangles(xcb_shape_get_rectangles_cookie_t cookie) const {
  const auto shape = connection_->reply(xcb_shape_get_rectangles_reply, cookie, "read the shape of a window");
  std::vector<Rect> parts;
  if (!shape) return parts;
  const xcb_rectangle_t* const each = xcb_shape_get_rectangles_rectangles(shape->get());
  for (int i = 0; i < xcb_shape_get_rectangles_rectangles_length(shape->get()); ++i) {
    parts.push_back({each[i].x, each[i].y, each[i].width, each[i].height});
  }
  return simplified(std::move(parts));
}

std::vector<Rect> WindowShapes::take(const ShapeQuestion& question) const {
  const auto geometry = connection_->reply(xcb_get_geometry_reply, question.geometry, "measure a window");
  std::vector<Rect> bounding;
  std::vector<Rect> input;
  if (has_shapes_) {
    bounding = rectangles(question.bounding);
    input = rectangles(question.input);
  }
  if (!geometry) return {};
  const xcb_get_geometry_reply_t& place = **geometry;
  const int border = place.border_width;
  const Rect whole{-border, -border, place.width + 2 * border, place.height + 2 * border};
  if (!has_shapes_) bounding = input = {whole};
  std::vector<Rect> parts;
  for (const Rect& a : bounding) {
    for (const Rect& b : input) {
      const Rect shared = intersection(intersection(a, b), whole);
      if (shared.empty()) continue;
      parts.push_back({shared.x + place.x + border, shared.y + place.y + border, shared.width, shared.height});
    }
  }
  return simplified(std::move(parts));
}

}  // namespace da::actuator::x11
