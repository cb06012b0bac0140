#include "services/console/profiles/place.h"

#include "lib/base/name_text.h"
#include "lib/base/pattern.h"
#include "lib/base/text.h"
#include "lib/contract/coordinates.h"

namespace da::console {
namespace {

const v1::Window* window_with(const Pattern& title, const v1::Observation& seen) {
  for (const v1::Window& window : seen.windows()) {
    if (!window.minimized() && title.matches(composed(window.title()))) return &window;
  }
  return nullptr;
}

// Width or height 0 reach to the window's edge.
Rect in_window(const Rect& area, const Rect& window) {
  return {window.x + area.x, window.y + area.y, area.width == 0 ? window.width - area.x : area.width,
          area.height == 0 ? window.height - area.y : area.height};
}

void note_what_is_outside(const Rect& desktop, Place& place) {
  if (!place.on_desktop) return;
  const Rect shown = intersection(*place.on_desktop, desktop);
  if (shown == *place.on_desktop) return;
  place.notes.push_back((shown.empty() ? "the place is outside of the desktop, which is "
                                       : "a part of the place is outside of the desktop, which is ") +
                        rect_text(desktop));
}

Result<void> place_in_window(const PlaceWish& wish, const v1::Observation* seen, Place& place) {
  place.pattern = quote_pattern(composed(wish.window));
  place.area = wish.rect.value_or(Rect());
  if (seen == nullptr) return ok();
  ASSIGN_OR_RETURN(const auto title, Pattern::compile(place.pattern));
  const v1::Window* const window = window_with(title, *seen);
  if (window == nullptr) {
    const std::string missing = "no window whose title contains " + quote_foreign(wish.window) + " is open";
    if (wish.marked) return Error{Code::kNotFound, missing};
    place.notes.push_back(missing + ", so the place is not checked");
    return ok();
  }
  place.window_title = window->title();
  const Rect bounds = contract::from_proto(window->bounds());
  if (wish.marked) {
    place.area = {wish.marked->x - bounds.x, wish.marked->y - bounds.y, wish.marked->width, wish.marked->height};
  }
  place.on_desktop = in_window(place.area, bounds);
  if (place.on_desktop->empty() || intersection(*place.on_desktop, bounds) != *place.on_desktop) {
    place.notes.push_back("the place is not inside of the window, which is " + rect_text(bounds));
  }
  return ok();
}

}  // namespace

Result<Place> find_place(const PlaceWish& wish, const v1::Observation* seen) {
  Place place;
  if (wish.window.empty()) {
    place.area = wish.marked ? *wish.marked : wish.rect.value_or(Rect());
    place.on_desktop = place.area;
  } else {
    RETURN_IF_ERROR(place_in_window(wish, seen, place));
  }
  if (seen != nullptr) note_what_is_outside(contract::from_proto(seen->coordinates().desktop()), place);
  return place;
}

std::string rect_text(const Rect& rect) {
  return std::to_string(rect.x) + "," + std::to_string(rect.y) + " (" + std::to_string(rect.width) + "x" +
         std::to_string(rect.height) + ")";
}

}  // namespace da::console
