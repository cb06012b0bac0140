// Finds the element at a point of the desktop.
#include <algorithm>
#include <map>

#include "services/actuator/desktop/x11/atspi/atspi_tree.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kHitTimeout{300};
constexpr int kHitTries = 3;

// Elements with these roles show their children in a window of their own.
bool opens_popups(std::string_view role) { return role == "menu" || role == "popup menu" || role == "combo box"; }

}  // namespace

// The last of several elements of one depth wins: it is above its siblings.
Result<FoundElement> AtspiTree::innermost(const WindowInfo& window, MonoTime deadline,
                                          const std::function<bool(const Element&)>& wanted) {
  ASSIGN_OR_RETURN(auto tree, read(window, {TreeLimits{}.max_nodes, deadline}));
  std::map<ElementHandle, int> depths;
  Element* best = nullptr;
  int best_depth = -1;
  for (Element& element : tree.elements) {
    const auto parent = depths.find(element.parent);
    const int depth = parent == depths.end() ? 0 : parent->second + 1;
    depths[element.handle] = depth;
    if (!wanted(element) || depth < best_depth) continue;
    best = &element;
    best_depth = depth;
  }
  FoundElement found{.element = {}, .unread = tree.truncated};
  if (best != nullptr) found.element = std::move(*best);
  return found;
}

Result<FoundElement> AtspiTree::in_popup(const WindowInfo& window, Point at, const Rect& popup, MonoTime deadline) {
  ASSIGN_OR_RETURN(auto tree, read(window, {TreeLimits{}.max_nodes, deadline}));
  struct Place {
    int depth = 0;
    bool pops_up = false;  // By its role or that of its ancestors, else by its place.
    std::string_view role;
  };
  std::map<ElementHandle, Place> places;
  const Element* best = nullptr;
  Place best_place;
  for (const Element& element : tree.elements) {
    Place place{.role = element.role};
    if (const auto parent = places.find(element.parent); parent != places.end()) {
      place.depth = parent->second.depth + 1;
      place.pops_up = parent->second.pops_up || opens_popups(parent->second.role);
    } else {
      place.pops_up = element.window_id.empty();
    }
    places[element.handle] = place;
    const bool there = element.has(ElementState::kShowing) && element.visible.contains(at);
    const Rect shared = intersection(element.bounds, popup);
    if (!there || (!place.pops_up && shared != element.bounds)) continue;
    const bool better =
        best == nullptr || std::pair(place.pops_up, place.depth) >= std::pair(best_place.pops_up, best_place.depth);
    if (!better) continue;
    best = &element;
    best_place = place;
  }
  FoundElement found{.element = {}, .unread = best == nullptr && (tree.truncated || !tree.elements.empty())};
  if (best != nullptr) found.element = *best;
  return found;
}

Result<FoundElement> AtspiTree::element_at(const WindowInfo& window, Point at, MonoTime deadline) {
  ASSIGN_OR_RETURN(const auto popup, windows_.popup_at(at));
  if (popup) return in_popup(window, at, *popup, deadline);
  bool all_placed = true;
  const auto is_there = [&](const Element& element) {
    all_placed = all_placed && element.unplaced.empty();
    return element.has(ElementState::kShowing) && element.visible.contains(at);
  };
  ASSIGN_OR_RETURN(auto found, innermost(window, deadline, is_there));
  if (!found.unread && all_placed) return found;
  found.unread = true;
  const MonoTime hit_deadline = clock_.now() + kHitTimeout;
  for (int i = 0; i < kHitTries; ++i) {
    auto element = hit(window, at, hit_deadline);
    if (element && is_there(*element)) return FoundElement{*std::move(element), false};
  }
  return found;
}

// The hit test does not find a control with children, or what is in a menu.
Result<FoundElement> AtspiTree::likely_at(const WindowInfo& window, Point at, MonoTime deadline) {
  ASSIGN_OR_RETURN(const auto popup, windows_.popup_at(at));
  if (!popup) {
    auto element = hit(window, at, deadline);
    const bool there = element && element->has(ElementState::kShowing) && element->visible.contains(at);
    if (there) return FoundElement{*std::move(element), false};
  }
  return element_at(window, at, deadline);
}

Result<Element> AtspiTree::hit(const WindowInfo& window, Point at, MonoTime deadline) {
  ASSIGN_OR_RETURN(Use use, connect());
  Asked asked{{}, std::move(use), AccessibleCollector(*bus_, memory_, deadline, kSilenceLimit)};
  ASSIGN_OR_RETURN(const auto windows, windows_.described());
  for (const std::string& bus_name : applications_.known_of(window.pid)) {
    ASSIGN_OR_RETURN(const auto frames, top_levels({{bus_name, desktop_root().path}, window.pid}, asked.collector));
    ASSIGN_OR_RETURN(const auto places, places_of(frames, window.pid, windows));
    const auto place = std::ranges::find(places, window.id, &FrameWindow::window_id);
    if (place == places.end() || !place->unplaced.empty()) continue;
    const Point in_window = place->map.to_reported(at);
    asked.ref = frames[static_cast<std::size_t>(place - places.begin())].ref;
    ASSIGN_OR_RETURN(asked.ref, asked.collector.innermost_at(asked.ref, in_window));
    ASSIGN_OR_RETURN(auto placed, find(asked, deadline));
    return std::move(placed.element);
  }
  return Error{Code::kNotFound, "no element is there"};
}

}  // namespace da::actuator::x11
