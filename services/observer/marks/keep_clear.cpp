#include "services/observer/marks/keep_clear.h"

#include <algorithm>
#include <set>

#include "services/observer/elements/ui_roles.h"
#include "services/observer/elements/usable.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

constexpr int kTallestTitleBar = 80;  // Pixels.

bool holds(const Rect& outer, const Rect& inner) { return intersection(outer, inner) == inner; }

// True if a single window in front covers all of `area`.
bool is_hidden(const Rect& area, const v1::Window* own, const Scene& scene) {
  const auto end = std::ranges::find(scene.windows, own);
  return own != nullptr && std::any_of(scene.windows.begin(), end, [&](const v1::Window* front) {
           return !front->minimized() && holds(rect_from_wire(front->bounds()), area);
         });
}

// The window manager's title bar with its buttons: the part of the window above its content. Some applications (GTK 3
// dialogs) tell the whole window as the place of its root element; then the content begins with the highest child.
Rect title_bar(const v1::Window& window, const UsableElements& elements, std::size_t root) {
  const Rect whole = rect_from_wire(window.bounds());
  const Rect content = elements.visible(root);
  int top = content.y;
  if (content == whole) {
    top = content.bottom();
    for (std::size_t i = root + 1; i < elements.count(); ++i) {
      if (elements.ancestry().parent(i) == root && !elements.visible(i).empty()) {
        top = std::min(top, elements.visible(i).y);
      }
    }
  }
  const int height = top - whole.y;
  const bool plausible =
      height > 0 && height <= kTallestTitleBar && content.x >= whole.x && whole.contains(content.center());
  return plausible ? Rect{whole.x, whole.y, whole.width, height} : Rect{};
}

}  // namespace

KeepClear keep_clear_of(const v1::UiTree* tree, const Scene& scene) {
  KeepClear clear;
  std::set<const v1::Window*> known;
  if (tree != nullptr) {
    const UsableElements elements(*tree, scene);
    for (std::size_t i = 0; i < elements.count(); ++i) {
      if (elements.visible(i).empty()) continue;
      const v1::Window* const window = elements.visibility().window_of(elements.node(i));
      if (window != nullptr && !elements.ancestry().parent(i) && is_window(elements.node(i).role())) {
        const Rect bar = title_bar(*window, elements, i);
        if (!bar.empty() && !is_hidden(bar, window, scene)) clear.elements.push_back(bar);
      }
      if (!elements.is_usable(i)) continue;
      known.insert(window);
      const Rect area = elements.in_view(i);
      const bool on_top = elements.ancestry().popup_of(i).has_value();
      if (!area.empty() && (on_top || !is_hidden(area, window, scene))) clear.elements.push_back(area);
    }
    const auto menus = elements.open_menus();
    clear.elements.insert(clear.elements.end(), menus.begin(), menus.end());
  }
  for (const v1::Window* window : scene.windows) {
    const Rect area = intersection(rect_from_wire(window->bounds()), scene.desktop);
    if (area.empty() || window->minimized() || known.contains(window)) continue;
    if (!is_hidden(area, window, scene)) clear.unknown.push_back(area);
  }
  return clear;
}

}  // namespace da::observer
