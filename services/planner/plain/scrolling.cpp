#include "services/planner/plain/scrolling.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/text.h"
#include "services/planner/plain/language/actions.h"

namespace da::planner::plain {
namespace {

Rect rect_of(const v1::Rect& rect) {
  return {rect.x(), rect.y(), static_cast<int>(rect.width()), static_cast<int>(rect.height())};
}

bool takes_wheel(const v1::UiNode& node) {
  constexpr auto kRoles = std::to_array<std::string_view>({"slider", "spin button", "combo box", "dial", "page tab"});
  return std::ranges::find(kRoles, node.role()) != kRoles.end();
}

// Returns the places of the window's elements that take the wheel. The list is empty if its elements are unknown.
Result<std::vector<Rect>> wheel_takers(TaskView& view, const std::string& window_id) {
  std::vector<Rect> takers;
  const auto tree = view.ui_tree();
  if (!tree && is_lost_or_cancelled(tree.error())) return tree.error();
  if (!tree) return takers;
  for (const v1::UiNode& node : tree->nodes()) {
    const bool shows = has_state(node, v1::UI_STATE_SHOWING) && node.window_id() == window_id;
    if (shows && takes_wheel(node)) takers.push_back(rect_of(node.bounds()));
  }
  return takers;
}

// From the middle outwards, in eighths.
std::optional<Point> free_place(const Rect& area, const std::vector<Rect>& taken) {
  for (const auto& [across, down] :
       std::array<std::pair<int, int>, 9>{{{4, 4}, {4, 2}, {4, 6}, {2, 4}, {6, 4}, {1, 1}, {7, 1}, {1, 7}, {7, 7}}}) {
    const Point at = across == 4 && down == 4
                         ? area.center()
                         : Point{area.x + area.width * across / 8, area.y + area.height * down / 8};
    if (std::ranges::none_of(taken, [at](const Rect& each) { return each.contains(at); })) return at;
  }
  return std::nullopt;
}

}  // namespace

Result<Point> place_to_scroll(TaskView& view, const v1::Observation& seen) {
  const v1::Window& focused = seen.focused_window();
  ASSIGN_OR_RETURN(auto taken, wheel_takers(view, focused.window_id()));
  for (const v1::Window& window : seen.windows()) {
    if (window.window_id() == focused.window_id()) break;
    if (!window.minimized()) taken.push_back(rect_of(window.bounds()));
  }
  if (const auto at = free_place(rect_of(focused.bounds()), taken)) return *at;
  return Error{
      Code::kFailedPrecondition,
      "the focused window " + quote_foreign(focused.title(), 80) +
          " is covered, or full of elements that take the wheel, so nothing was scrolled: say where to scroll"};
}

Result<Point> place_to_scroll(TaskView& view, const v1::Candidate& found) {
  const Rect area = rect_of(found.bounds());
  if (found.source() != v1::Candidate::SOURCE_UI_TREE || takes_wheel(found.node())) return area.center();
  ASSIGN_OR_RETURN(const auto taken, wheel_takers(view, found.node().window_id()));
  if (const auto at = free_place(area, taken)) return *at;
  return Error{Code::kFailedPrecondition, describe_candidate(found) +
                                              " is full of elements that take the wheel for themselves, so nothing was "
                                              "scrolled"};
}

}  // namespace da::planner::plain
