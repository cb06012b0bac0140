#include "services/planner/plain/scrolling.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "lib/base/text.h"
#include "services/planner/plain/actions.h"

namespace da::planner::plain {
namespace {

Rect rect_of(const v1::Rect& rect) {
  return {rect.x(), rect.y(), static_cast<int>(rect.width()), static_cast<int>(rect.height())};
}

bool takes_wheel(const v1::UiNode& node) {
  return node.role() == "spin button" || node.role() == "combo box" || node.role() == "slider";
}

}  // namespace

Result<void> check_uncovered(const v1::Observation& seen, Point at) {
  for (const v1::Window& window : seen.windows()) {
    if (window.window_id() == seen.focused_window().window_id()) return ok();
    if (window.minimized() || !rect_of(window.bounds()).contains(at)) continue;
    return Error{Code::kFailedPrecondition, "the window " + quote_foreign(window.title(), 80) +
                                                " covers the middle of the focused window " +
                                                quote_foreign(seen.focused_window().title(), 80) +
                                                ", so nothing was scrolled: say where to scroll"};
  }
  return ok();
}

Result<Point> place_to_scroll(TaskView& view, const v1::Candidate& found) {
  const Rect area = rect_of(found.bounds());
  const Point middle = area.center();
  if (found.source() != v1::Candidate::SOURCE_UI_TREE || takes_wheel(found.node())) return middle;
  const auto tree = view.ui_tree();
  if (!tree) return is_lost_or_cancelled(tree.error()) ? Result<Point>(tree.error()) : middle;
  std::vector<const v1::UiNode*> takers;
  for (const v1::UiNode& node : tree->nodes()) {
    const bool shows = has_state(node, v1::UI_STATE_SHOWING) && node.window_id() == found.node().window_id();
    if (shows && takes_wheel(node)) takers.push_back(&node);
  }
  for (const auto& [across, down] :
       std::array<std::pair<int, int>, 9>{{{4, 4}, {4, 2}, {4, 6}, {2, 4}, {6, 4}, {1, 1}, {7, 1}, {1, 7}, {7, 7}}}) {
    const Point at{area.x + area.width * across / 8, area.y + area.height * down / 8};
    const auto is_there = [at](const v1::UiNode* node) { return rect_of(node->bounds()).contains(at); };
    if (std::ranges::none_of(takers, is_there)) return at;
  }
  return middle;
}

}  // namespace da::planner::plain
