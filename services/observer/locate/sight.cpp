#include "services/observer/locate/sight.h"

#include <utility>

#include "services/observer/frames/wire.h"
#include "services/observer/locate/names_by_sight.h"
#include "services/observer/locate/unread_places.h"
#include "services/observer/text/field_boxes.h"
#include "services/observer/text/text_match.h"

namespace da::observer {

Result<std::vector<v1::Candidate>> Sight::read_area(Rect area, const LocatedTarget& target) {
  const FrameStore& store = frames_.store();
  const Point origin{store.desktop().x, store.desktop().y};
  area.x -= origin.x;
  area.y -= origin.y;
  ASSIGN_OR_RETURN(const auto* lines, window_text_.lines(store, area));
  return match_text(*lines, origin, target);
}

Result<std::vector<v1::Candidate>> Sight::read_screen(const LocatedTarget& target) {
  const auto* focused = frames_.focused_window();
  if (focused != nullptr && may_read_text(target, *focused)) {
    ASSIGN_OR_RETURN(auto candidates, read_area(rect_from_wire(focused->bounds()), target));
    if (!candidates.empty() && candidates.front().score() >= 0.6) return candidates;
  }
  return read_all(target);
}

Result<std::vector<v1::Candidate>> Sight::read_all(const LocatedTarget& target) {
  const FrameStore& store = frames_.store();
  ASSIGN_OR_RETURN(const auto* lines, screen_text_.lines(store, {0, 0, store.grid().width, store.grid().height}));
  return match_text(*lines, {store.desktop().x, store.desktop().y}, target);
}

std::vector<Rect> Sight::fields_of(const v1::Window& window, const Scene& scene) const {
  const FrameStore& store = frames_.store();
  const Point origin{store.desktop().x, store.desktop().y};
  Rect area = rect_from_wire(window.bounds());
  area.x -= origin.x;
  area.y -= origin.y;
  auto boxes = field_boxes(store.pixels(), area);
  for (Rect& box : boxes) {
    box.x += origin.x;
    box.y += origin.y;
  }
  const Visibility seen(scene);
  std::erase_if(boxes, [&](const Rect& box) { return seen.window_at(box.center()) != &window; });
  return boxes;
}

Result<std::vector<v1::Candidate>> Sight::find_fields(const LocatedTarget& target, const Scene& scene,
                                                      const v1::Window& window) {
  auto boxes = fields_of(window, scene);
  const bool placed = target.relation != v1::RELATION_UNSPECIFIED;
  if (!placed && target.name.empty()) return numbered_field(std::move(boxes), target.index);
  LocatedTarget words = target;
  if (placed) words.literal = words.name = target.anchor;
  ASSIGN_OR_RETURN(const auto read, read_area(rect_from_wire(window.bounds()), words));
  return fields_beside(read, boxes, target);
}

}  // namespace da::observer
