#include "services/observer/elements/popup_parts.h"

#include "lib/base/rect_fit.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

// Entries may reach beyond the border of their menu.
constexpr int kBorder = 3;

Rect with_border(const Rect& area) {
  return {area.x - kBorder, area.y - kBorder, area.width + 2 * kBorder, area.height + 2 * kBorder};
}

// A menu that is longer than the screen has entries above and below its window.
bool is_in_column(const Rect& entry, const Rect& menu) { return entry.x >= menu.x && entry.right() <= menu.right(); }

}  // namespace

bool is_part_of_popup(const v1::UiTree& tree, const UiAncestry& ancestry, std::size_t node, const Rect& popup,
                      const Rect& own) {
  const auto node_at = [&](std::size_t i) -> const v1::UiNode& { return tree.nodes(static_cast<int>(i)); };
  const Rect around = with_border(popup);
  if (const auto menu = ancestry.popup_of(node)) {
    for (std::size_t i = *menu + 1; i < static_cast<std::size_t>(tree.nodes_size()); ++i) {
      const bool entry = ancestry.parent(i) == menu && has_state(node_at(i), v1::UI_STATE_SHOWING);
      const Rect bounds = entry ? rect_from_wire(node_at(i).bounds()) : Rect{};
      if (!bounds.empty() && !around.contains(bounds.center()) && !is_in_column(bounds, around)) return false;
    }
    return true;
  }
  for (auto part = std::optional(node); part; part = ancestry.parent(*part)) {
    const Rect bounds = rect_from_wire(node_at(*part).bounds());
    if (bounds.empty()) continue;
    if (intersection(bounds, around) != bounds) return false;
    if (2 * bounds.area() >= popup.area()) return fit(bounds, popup) >= fit(bounds, own);
  }
  return false;
}

}  // namespace da::observer
