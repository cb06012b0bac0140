#include "services/observer/elements/nameable.h"

#include <vector>

#include "lib/base/text.h"
#include "services/observer/elements/ui_labels.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/elements/usable.h"
#include "services/observer/frames/wire.h"

namespace da::observer {

namespace {

// Why a named element that the tree has does not show; empty if it shows, or if nothing is known about it.
std::string why_hidden(const UsableElements& elements, std::size_t i) {
  const v1::UiNode& node = elements.node(i);
  if (has_state(node, v1::UI_STATE_SCROLLED_OUT)) return "scrolled out of sight";
  const Rect& visible = elements.visible(i);
  if (visible.empty()) return {};
  const Visibility& seen = elements.visibility();
  const Layer* const cover = seen.cover_of(seen.window_of(node), visible.center());
  return cover == nullptr ? "covered" : "under " + in_words(*cover);
}

}  // namespace

v1::UiTree nameable(const v1::UiTree& tree, const Scene& scene, Listed listed) {
  const UsableElements elements(tree, scene);
  std::vector<VisibleNode> visible;
  std::vector<std::size_t> indices;  // Index in the tree of each of `visible`.
  std::vector<std::string> hidden;   // Why each of `visible` does not show; empty if it shows.
  for (std::size_t i = 0; i < elements.count(); ++i) {
    const Rect bounds = elements.clickable(i);
    std::string why = bounds.empty() && listed == Listed::kAll ? why_hidden(elements, i) : "";
    if (bounds.empty() && why.empty()) continue;
    visible.push_back({&elements.node(i), bounds.empty() ? rect_from_wire(elements.node(i).bounds()) : bounds});
    indices.push_back(i);
    hidden.push_back(std::move(why));
  }
  const auto labels = labels_of_fields(visible);
  v1::UiTree named;
  named.set_truncated(tree.truncated());
  named.set_note(tree.note());
  for (std::size_t i = 0; i < visible.size(); ++i) {
    const bool has_name = !shows_nothing(visible[i].node->name());
    const bool usable = listed == Listed::kAll && hidden[i].empty() && elements.is_usable(indices[i]);
    if (!has_name && labels[i].empty() && !usable) continue;
    v1::UiNode& node = *named.add_nodes() = *visible[i].node;
    if (!has_name) node.set_name(std::string(labels[i]));
    *node.mutable_bounds() = rect_to_wire(visible[i].bounds);
    node.set_hidden(hidden[i]);
  }
  return named;
}

}  // namespace da::observer
