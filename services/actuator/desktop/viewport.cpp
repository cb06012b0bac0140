#include "services/actuator/desktop/viewport.h"

#include <algorithm>
#include <array>

namespace da::actuator {
namespace {

constexpr auto kPages = std::to_array<std::string_view>({"document frame", "document web"});
constexpr auto kScrolling =
    std::to_array<std::string_view>({"scroll pane", "viewport", "table", "tree", "tree table", "list box",
                                     "document frame", "document web", "document spreadsheet", "internal frame"});
// Roles whose elements may show in a window of their own, outside of their parent.
constexpr auto kOwnWindow = std::to_array<std::string_view>(
    {"menu", "popup menu", "combo box", "window", "frame", "dialog", "alert", "file chooser", "tool tip", "menu bar"});

bool is_one_of(std::span<const std::string_view> roles, std::string_view role) {
  return std::ranges::find(roles, role) != roles.end();
}

}  // namespace

void Viewport::place(Element& element, Drawn drawn) const {
  const bool says_showing = element.has(ElementState::kShowing);
  const auto& area = in_scroll_pane_ && element.role == "viewport" ? around_ : area_;
  element.viewport = area.value_or(Rect{});
  element.visible = {};
  if (says_showing) element.visible = area ? intersection(*area, element.bounds) : element.bounds;
  if (!area || element.bounds.empty() || !element.visible.empty()) return;
  std::erase(element.states, ElementState::kShowing);
  if (may_scroll_in_ && (says_showing || drawn == Drawn::kYes)) element.states.push_back(ElementState::kScrolledOut);
}

Viewport Viewport::of_children(const Element& element) const {
  Viewport inner = *this;
  inner.in_scroll_pane_ = element.role == "scroll pane";
  inner.around_ = area_;
  if (is_one_of(kOwnWindow, element.role)) inner.area_.reset();
  inner.in_page_ = in_page_ || is_one_of(kPages, element.role);
  // In a page, a list is a mere group, and its items may show beside it.
  const bool scrolls = is_one_of(kScrolling, element.role) || (element.role == "list" && !in_page_);
  if (scrolls && element.has(ElementState::kShowing) && !element.visible.empty()) inner.area_ = element.visible;
  inner.may_scroll_in_ =
      inner.area_ && (element.has(ElementState::kShowing) || element.has(ElementState::kScrolledOut));
  return inner;
}

Viewport Viewport::of_menu(const Rect& area) const {
  Viewport menu;
  menu.area_ = area;
  menu.in_page_ = in_page_;
  menu.may_scroll_in_ = true;
  return menu;
}

Viewport Viewport::below(int top) const {
  Viewport lower = *this;
  if (!area_ || top <= area_->y) return lower;
  const int cut = std::min(top - area_->y, area_->height);
  lower.area_ = Rect{area_->x, area_->y + cut, area_->width, area_->height - cut};
  return lower;
}

}  // namespace da::actuator
