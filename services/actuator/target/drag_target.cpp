// Finds what a drag passes, and where it ends.
#include <algorithm>

#include "services/actuator/desktop/drag_path.h"
#include "services/actuator/target/target_finder.h"

namespace da::actuator {

Result<void> TargetFinder::on_desktop(const v1::Drag& drag, ActionTarget& target) const {
  ASSIGN_OR_RETURN(const Layout layout, desktop_.screen().layout());
  for (const v1::PathPoint& point : drag.path()) {
    if (!layout.desktop.contains({point.x(), point.y()})) {
      target.set_outside({point.x(), point.y()});
      break;
    }
  }
  return ok();
}

Result<void> TargetFinder::drop_of(const v1::Drag& drag, ActionTarget& target) const {
  const auto& last = drag.path(drag.path_size() - 1);
  const Point point{last.x(), last.y()};
  target.drop_point = point;
  ASSIGN_OR_RETURN(target.drop_window, desktop_.windows().window_at(point));
  if (target.drop_window) {
    ASSIGN_OR_RETURN(auto found,
                     desktop_.ui_tree().element_at(*target.drop_window, point, clock_.now() + kElementTimeout));
    target.drop_element = std::move(found.element);
    target.drop_unread = found.unread;
  }
  ASSIGN_OR_RETURN(target.drop_neighbourhood, look_around(desktop_, point, target.drop_element));
  return ok();
}

Result<void> TargetFinder::passed_by(const v1::Drag& drag, ActionTarget& target) const {
  ASSIGN_OR_RETURN(const std::vector<WindowInfo> windows, desktop_.windows().list());
  ASSIGN_OR_RETURN(const std::vector<ClickArea> areas, desktop_.state().click_areas(windows));
  std::vector<Point> path;
  for (const v1::PathPoint& point : drag.path()) path.push_back({point.x(), point.y()});
  for (const DragMove& move : drag_moves(path)) {
    const auto area = std::ranges::find_if(areas, [&](const ClickArea& each) { return each.contains(move.to); });
    if (area == areas.end()) continue;
    const auto owner = std::ranges::find(windows, area->owner_id, &WindowInfo::id);
    const WindowInfo& window = owner == windows.end() ? area->window : *owner;
    const auto is_it = [&](const auto& other) { return other && other->id == window.id; };
    if (is_it(target.window) || is_it(target.drop_window)) continue;
    const auto passed = std::ranges::find(target.passed_windows, window.id, &WindowInfo::id);
    if (passed == target.passed_windows.end()) target.passed_windows.push_back(window);
  }
  return ok();
}

}  // namespace da::actuator
