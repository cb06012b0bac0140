#include "services/observer/locate/unread_places.h"

#include <algorithm>

#include "services/observer/elements/ui_ancestry.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/elements/ui_visibility.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

bool is_page(std::string_view role) { return one_of(role, {"document web", "document frame"}); }

bool is_unread(const v1::UiTree& tree, const UiAncestry& ancestry, const v1::Window& window, Point at) {
  bool has_elements = false;
  bool in_empty_page = false;
  for (int i = 0; i < tree.nodes_size(); ++i) {
    const v1::UiNode& node = tree.nodes(i);
    if (node.window_id() != window.window_id()) continue;
    has_elements = has_elements || !is_window(node.role());
    const bool there = has_state(node, v1::UI_STATE_SHOWING) && rect_from_wire(node.bounds()).contains(at);
    if (there && is_page(node.role())) in_empty_page = !ancestry.has_children(static_cast<std::size_t>(i));
  }
  return in_empty_page || (tree.truncated() && has_elements);
}

}  // namespace

bool drop_unread(const v1::UiTree& tree, std::span<const v1::Window* const> windows,
                 std::vector<v1::Candidate>& candidates) {
  if (candidates.empty()) return false;
  const UiAncestry ancestry(tree);
  std::erase_if(candidates, [&](const v1::Candidate& candidate) {
    const Point at = rect_from_wire(candidate.bounds()).center();
    const v1::Window* const window = window_at(windows, at);
    return window != nullptr && is_unread(tree, ancestry, *window, at);
  });
  return candidates.empty();
}

}  // namespace da::observer
