// Corrections for GTK4: it reports "showing" only for windows, and doubled names of buttons.
#include <algorithm>
#include <span>
#include <utility>

#include "lib/base/text.h"
#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_popovers.h"

namespace da::actuator::x11 {
namespace {

// GTK4 names a button by its label and again by the label inside it: "7 7".
std::string without_doubling(std::string name) {
  const std::size_t half = name.size() / 2;
  const bool doubled = name.size() % 2 == 1 && half > 0 && name[half] == ' ' &&
                       std::string_view(name).substr(0, half) == std::string_view(name).substr(half + 1);
  if (doubled) name.resize(half);
  return name;
}

// GTK4 names an object that has no name by its type: "GtkEntry".
bool is_type_name(std::string_view name) {
  for (const std::string_view prefix : {"Gtk", "Adw"}) {
    if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto in_type = [&](char c) { return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (is_upper(name[prefix.size()]) && std::ranges::all_of(name, in_type)) return true;
  }
  return false;
}

std::string corrected_name(const AccessibleNode& node) {
  return node.role != kRoleLabel && is_type_name(node.name) ? std::string() : without_doubling(node.name);
}

}  // namespace

bool AccessibleCollector::toolkit_is_gtk4(const AccessibleRef& any) {
  return fold_case(toolkit(any).name) == "gtk" && toolkit(any).version.starts_with("4.");
}

// GTK up to 4.8 reports "showing" for windows and a few widgets: infer it for all others.
void AccessibleCollector::correct_gtk4(std::vector<AccessibleNode>& nodes, std::size_t from) {
  inferred_ = false;
  const auto below = std::span(nodes).subspan(std::min(from + 1, nodes.size()));
  if (below.empty() || !is_visible(nodes[from].states)) return;
  if (!toolkit_is_gtk4(nodes[from].ref)) return;
  for (AccessibleNode& node : below) {
    node.popover = is_popover(node);
    node.name = corrected_name(node);
  }
  const auto shows = [](const AccessibleNode& node) { return is_showing(node.states); };
  if (2 * std::ranges::count_if(below, shows) > std::ranges::ssize(below)) return;  // A newer version.
  inferred_ = true;
  nodes[from].states = with_showing(nodes[from].states, true);  // Not even reported for dialogs.
  for (AccessibleNode& node : below) {
    node.states = with_showing(node.states, is_visible(node.states) && node.parent != AccessibleNode::kNoParent &&
                                                is_showing(nodes[node.parent].states));
  }
}

bool AccessibleCollector::reads_the_same(const AccessibleNode& known, const AccessibleNode& now) {
  if (now.role != known.role || (known.child_count >= 0 && now.child_count != known.child_count)) return false;
  if (now.states == known.states && now.name == known.name) return true;
  return toolkit_is_gtk4(known.ref) && corrected_name(now) == known.name &&
         with_showing(now.states, true) == with_showing(known.states, true);
}

// Hidden pages of a stack are "visible" too, but have no place in the window.
void AccessibleCollector::hide_outside(std::vector<AccessibleNode>& nodes, std::size_t from) {
  std::vector<Rect> areas(nodes.size());  // Area of the window or popover around each node.
  for (std::size_t i = from; i < nodes.size(); ++i) {
    AccessibleNode& node = nodes[i];
    const bool inside = node.parent != AccessibleNode::kNoParent && node.parent >= from;
    areas[i] = !inside || node.popover ? node.extents : areas[node.parent];
    if (node.parent == AccessibleNode::kNoParent || !is_showing(node.states)) continue;
    const bool placed = !intersection(node.extents, areas[i]).empty();
    node.states = with_showing(node.states, placed && is_showing(nodes[node.parent].states));
  }
}

}  // namespace da::actuator::x11
