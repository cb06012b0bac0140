#include "services/actuator/desktop/x11/atspi_elements.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "services/actuator/desktop/viewport.h"
#include "services/actuator/desktop/x11/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

// Of a window that a window manager lists, unlike menus and tooltips.
bool is_window_role(std::string_view role) {
  return role == "frame" || role == "dialog" || role == "file chooser" || role == "alert" || role == "color chooser" ||
         role == "font chooser";
}

Element element_of(const AccessibleNode& node, std::uint32_t pid, const FrameWindow& place, Point displacement) {
  Element element;
  element.handle = handle_of(node.ref);
  element.window_id = place.window_id;
  element.pid = pid;
  element.role = role_name(node.role);
  element.name = node.name;
  element.text = node.text;
  element.states = element_states(node.states, node.role);
  if (!node.extents.empty()) element.bounds = moved(moved(node.extents, place.offset), displacement);
  return element;
}

// The indices of pop-up menus whose items have wrong places. Java gives the items places above their real ones, so that
// a click on one would choose another. Such items begin above the menu and end before its end; those of a menu that
// scrolls do not.
std::set<std::size_t> displaced_menus(const std::vector<AccessibleNode>& nodes) {
  std::map<std::size_t, std::pair<int, int>> reach;  // First and last row of pixels of the items of each menu.
  for (const AccessibleNode& node : nodes) {
    if (node.parent == AccessibleNode::kNoParent || role_name(node.role) != "menu item") continue;
    if (!is_showing(node.states) || role_name(nodes[node.parent].role) != "popup menu") continue;
    auto& [top, bottom] = reach.try_emplace(node.parent, node.extents.y, node.extents.bottom()).first->second;
    top = std::min(top, node.extents.y);
    bottom = std::max(bottom, node.extents.bottom());
  }
  std::set<std::size_t> displaced;
  for (const auto& [menu, rows] : reach) {
    const Rect& place = nodes[menu].extents;
    if (!place.empty() && rows.first < place.y && rows.second < place.bottom()) displaced.insert(menu);
  }
  return displaced;
}

// Pixels from where each node says that it is to where its window shows it. Until the pointer comes into its window,
// GTK's LibreOffice forgets the height of the menu bar: its root pane says that it is above the panel that it fills,
// and it gives places that are too high by that height for all that it draws itself. The GTK widgets in it know theirs.
std::vector<Point> displacements(const std::vector<AccessibleNode>& nodes) {
  std::vector<Point> found(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].parent == AccessibleNode::kNoParent) continue;
    const AccessibleNode& parent = nodes[nodes[i].parent];
    found[i] = found[nodes[i].parent];
    if (role_name(parent.role) != "panel" || parent.extents.empty() || nodes[i].extents.empty()) continue;
    const Rect& told = nodes[i].extents;
    const Rect around = moved(parent.extents, found[i]);
    const bool fills = told.width == around.width && told.height == around.height;
    const bool is_widget = role_name(nodes[i].role) == "panel" && told.x == around.x && told.y == around.y;
    if (is_widget) found[i] = {};
    if (fills && role_name(nodes[i].role) == "root pane") found[i] = {around.x - told.x, around.y - told.y};
  }
  return found;
}

// Whether its children do not show, or have unknown places. LibreOffice has two menu bars: one that shows, and one
// without height.
bool hides_children(const AccessibleNode& node, std::size_t index, const std::set<std::size_t>& displaced) {
  const bool flat = role_name(node.role) == "menu bar" && (node.extents.width > 0) != (node.extents.height > 0);
  return flat || displaced.contains(index);
}

}  // namespace

ElementHandle handle_of(const AccessibleRef& ref) { return {ref.bus + "\n" + ref.path}; }

std::optional<AccessibleRef> ref_of(const ElementHandle& handle) {
  const auto end = handle.native.find('\n');
  if (end == std::string::npos) return std::nullopt;
  AccessibleRef ref{handle.native.substr(0, end), handle.native.substr(end + 1)};
  const bool valid =
      sd_bus_service_name_is_valid(ref.bus.c_str()) > 0 && sd_bus_object_path_is_valid(ref.path.c_str()) > 0;
  return valid ? std::optional(std::move(ref)) : std::nullopt;
}

Rect moved(const Rect& extents, Point offset) {
  return {extents.x + offset.x, extents.y + offset.y, extents.width, extents.height};
}

bool is_opening(const AccessibleNode& top, const FrameWindow& place) {
  return place.window_id.empty() && place.process_has_windows && is_window_role(role_name(top.role)) &&
         is_showing(top.states);
}

std::vector<Element> elements_of(const std::vector<AccessibleNode>& nodes, std::uint32_t pid,
                                 const FrameWindow& place) {
  std::vector<Element> elements;
  std::vector<Viewport> below;  // For the children of each.
  std::vector<bool> hidden;     // The children of each.
  const auto displaced = displaced_menus(nodes);
  const auto displacement = displacements(nodes);
  const bool opens = !nodes.empty() && is_opening(nodes.front(), place);
  for (const AccessibleNode& node : nodes) {
    Element element = element_of(node, pid, place, displacement[elements.size()]);
    if (opens) std::erase(element.states, ElementState::kShowing);
    Viewport viewport;
    if (node.parent != AccessibleNode::kNoParent) {
      element.parent = handle_of(nodes[node.parent].ref);
      viewport = below[node.parent];
    }
    const bool in_hidden = node.parent != AccessibleNode::kNoParent && hidden[node.parent];
    if (in_hidden) std::erase(element.states, ElementState::kShowing);
    hidden.push_back(in_hidden || hides_children(node, elements.size(), displaced));
    viewport.place(element, may_be_visible(node.states) ? Drawn::kYes : Drawn::kNo);
    below.push_back(viewport.of_children(element));
    elements.push_back(std::move(element));
  }
  return elements;
}

}  // namespace da::actuator::x11
