#include "services/observer/locate/unread_places.h"

#include <algorithm>

#include "lib/base/text.h"
#include "services/observer/elements/ui_ancestry.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

bool is_page(std::string_view role) { return one_of(role, {"document web", "document frame"}); }

bool is_unread(const v1::UiTree& tree, const UiAncestry& ancestry, const v1::Window& window, Point at) {
  if (is_awaited(tree, window)) return true;
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

// The dialog of the page at this point, if the tree has nothing else of the page there.
const v1::UiNode* dialog_before(const v1::UiTree& tree, const UiAncestry& ancestry, Point at) {
  std::optional<std::size_t> page;
  const v1::UiNode* dialog = nullptr;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tree.nodes_size()); ++i) {
    const v1::UiNode& node = tree.nodes(static_cast<int>(i));
    if (!has_state(node, v1::UI_STATE_SHOWING)) continue;
    const bool there = rect_from_wire(node.bounds()).contains(at);
    if (there && is_page(node.role())) {
      page = i;
      dialog = nullptr;
    } else if (page && ancestry.is_within(i, *page)) {
      if (there) return nullptr;
      if (one_of(node.role(), {"dialog", "alert"})) dialog = &node;
    }
  }
  return dialog;
}

}  // namespace

std::string drop_behind_dialogs(const v1::UiTree& tree, std::vector<v1::Candidate>& candidates) {
  if (candidates.empty()) return {};
  const UiAncestry ancestry(tree);
  std::string before;
  std::erase_if(candidates, [&](const v1::Candidate& candidate) {
    const v1::UiNode* const dialog = dialog_before(tree, ancestry, rect_from_wire(candidate.bounds()).center());
    if (dialog == nullptr) return false;
    before = "the " + escape_foreign(dialog->role(), 40) +
             (dialog->name().empty() ? "" : " " + quote_foreign(dialog->name(), 80));
    return true;
  });
  return candidates.empty() ? before : "";
}

bool is_awaited(const v1::UiTree& tree, const v1::Window& window) {
  return std::ranges::find(tree.awaited(), window.window_id()) != tree.awaited().end();
}

bool drop_unread(const v1::UiTree& tree, const Scene& scene, std::vector<v1::Candidate>& candidates) {
  if (candidates.empty()) return false;
  const Visibility seen(scene);
  const UiAncestry ancestry(tree);
  std::erase_if(candidates, [&](const v1::Candidate& candidate) {
    const Point at = rect_from_wire(candidate.bounds()).center();
    const v1::Window* const window = seen.window_at(at);
    return window != nullptr && is_unread(tree, ancestry, *window, at);
  });
  return candidates.empty();
}

}  // namespace da::observer
