#include "services/observer/elements/nameable.h"

#include <vector>

#include "lib/base/text.h"
#include "services/observer/elements/ui_labels.h"
#include "services/observer/elements/usable.h"
#include "services/observer/frames/wire.h"

namespace da::observer {

v1::UiTree nameable(const v1::UiTree& tree, const Scene& scene) {
  const UsableElements elements(tree, scene);
  std::vector<VisibleNode> visible;
  for (std::size_t i = 0; i < elements.count(); ++i) {
    const Rect bounds = elements.clickable(i);
    if (!bounds.empty()) visible.push_back({&elements.node(i), bounds});
  }
  const auto labels = labels_of_fields(visible);
  v1::UiTree named;
  named.set_truncated(tree.truncated());
  named.set_note(tree.note());
  for (std::size_t i = 0; i < visible.size(); ++i) {
    const bool has_name = !shows_nothing(visible[i].node->name());
    if (!has_name && labels[i].empty()) continue;
    v1::UiNode& node = *named.add_nodes() = *visible[i].node;
    if (!has_name) node.set_name(std::string(labels[i]));
    *node.mutable_bounds() = rect_to_wire(visible[i].bounds);
  }
  return named;
}

}  // namespace da::observer
