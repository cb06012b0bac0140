#include "services/actuator/desktop/x11/atspi/atspi_elements.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "services/actuator/desktop/viewport.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_long_menus.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_popovers.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_rows.h"

namespace da::actuator::x11 {
namespace {

constexpr const char* kNoSuchPlace = "its application reports a place where the screen does not show it";

// Toolkits name a drop-down list by the item that it shows.
void name_by_label(const AccessibleNode& node, Element& element) {
  if (role_name(node.role) == "combo box" && element.text.empty()) element.text = element.name;
  element.name = node.label;
}

Element element_of(const AccessibleNode& node, std::uint32_t pid, const FrameWindow& place,
                   const std::optional<PlaceMap>& map) {
  Element element;
  element.handle = handle_of(node.ref);
  element.window_id = place.window_id;
  element.pid = pid;
  element.role = role_name(node.role);
  element.name = node.name;
  element.text = node.text;
  element.placeholder = node.placeholder;
  element.range = node.range;
  if (!node.label.empty()) name_by_label(node, element);
  element.states = element_states(node.states, node.role);
  // Qt does not call its spin buttons editable.
  const bool takes_numbers = element.role == "spin button" && node.has_interface("EditableText");
  if (takes_numbers && !element.has(ElementState::kEditable)) element.states.push_back(ElementState::kEditable);
  if (!map) element.unplaced = place.unplaced.empty() ? kNoSuchPlace : place.unplaced;
  if (map && !node.extents.empty()) element.bounds = map->to_desktop(node.extents);
  return element;
}

// The indices of pop-up menus whose items have wrong places. Java reports places above the real ones, so that a click
// would choose another item. Such items start above the menu and end before its end, unlike those of a scrolling menu.
std::set<std::size_t> displaced_menus(const std::vector<AccessibleNode>& nodes) {
  std::map<std::size_t, std::pair<int, int>> extents;  // Top and bottom of the items of each menu.
  for (const AccessibleNode& node : nodes) {
    if (node.parent == AccessibleNode::kNoParent || role_name(node.role) != "menu item") continue;
    if (!is_showing(node.states) || role_name(nodes[node.parent].role) != "popup menu") continue;
    auto& [top, bottom] = extents.try_emplace(node.parent, node.extents.y, node.extents.bottom()).first->second;
    top = std::min(top, node.extents.y);
    bottom = std::max(bottom, node.extents.bottom());
  }
  std::set<std::size_t> displaced;
  for (const auto& [menu, rows] : extents) {
    const Rect& place = nodes[menu].extents;
    if (!place.empty() && rows.first < place.y && rows.second < place.bottom()) displaced.insert(menu);
  }
  return displaced;
}

// Pixels from each node's reported place to its real one; nullopt: unknown. Until the pointer enters its window,
// LibreOffice with GTK ignores the height of the menu bar: it reports its root pane above the panel that the pane
// fills, and everything that it draws itself too high by that height. GTK widgets inside report correct places.
std::vector<std::optional<Point>> displacements(const std::vector<AccessibleNode>& nodes, const FrameWindow& place) {
  std::vector<std::optional<Point>> found(nodes.size(), Point{});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].parent == AccessibleNode::kNoParent) continue;
    const AccessibleNode& parent = nodes[nodes[i].parent];
    found[i] = found[nodes[i].parent];
    if (nodes[i].popover && is_showing(nodes[i].states)) {
      found[i] = popover_displacement(nodes[i], parent.extents, place.map, place.popups);
    }
    if (!found[i]) continue;
    if (role_name(parent.role) != "panel" || parent.extents.empty() || nodes[i].extents.empty()) continue;
    const Rect& reported = nodes[i].extents;
    const Rect around{parent.extents.x + found[i]->x, parent.extents.y + found[i]->y, parent.extents.width,
                      parent.extents.height};
    const bool fills = reported.width == around.width && reported.height == around.height;
    const bool is_widget = role_name(nodes[i].role) == "panel" && reported.x == around.x && reported.y == around.y;
    if (is_widget) found[i] = Point{};
    if (fills && role_name(nodes[i].role) == "root pane")
      found[i] = Point{around.x - reported.x, around.y - reported.y};
  }
  return found;
}

bool same_size(const Rect& a, const Rect& b, double tolerance) {
  return std::abs(a.width - b.width) <= tolerance && std::abs(a.height - b.height) <= tolerance;
}

bool is_inside(const Rect& inner, const Rect& outer, int tolerance) {
  const Rect around{outer.x - tolerance, outer.y - tolerance, outer.width + 2 * tolerance,
                    outer.height + 2 * tolerance};
  return intersection(inner, around) == inner;
}

// On a scaled screen Chromium reports its own controls in logical pixels, and pages in those of the screen. A page
// fills its parent, or at least lies inside. nullopt: neither explains its extents.
std::optional<PlaceMap> map_of_page(const Rect& page, const Rect& parent, const PlaceMap& map) {
  constexpr int kRounding = 2;
  const Rect filled = map.to_desktop(parent);
  const PlaceMap unscaled{map.dx, map.dy, 1};
  if (same_size(page, parent, kRounding)) return map;
  if (same_size(page, filled, kRounding * map.scale)) return anchored(page, filled, 1);
  const bool fits = is_inside(page, parent, kRounding);
  const bool fits_unscaled = is_inside(unscaled.to_desktop(page), filled, static_cast<int>(kRounding * map.scale));
  if (fits == fits_unscaled) return std::nullopt;
  return fits ? map : unscaled;
}

// Those of the nearest ancestor that has any.
Rect extents_around(const std::vector<AccessibleNode>& nodes, const AccessibleNode& node) {
  std::size_t at = node.parent;
  while (nodes[at].extents.empty() && nodes[at].parent != AccessibleNode::kNoParent) at = nodes[at].parent;
  return nodes[at].extents;
}

// Whether the children are hidden or have unknown places. LibreOffice has two menu bars, one of them without height. Qt
// reports that a list of a hidden page, or of a closed drop-down, shows, and so do its rows; but it gives the list no
// place.
bool hides_children(const AccessibleNode& node, std::size_t index, const std::set<std::size_t>& displaced) {
  const auto role = role_name(node.role);
  const bool flat = role == "menu bar" && (node.extents.width > 0) != (node.extents.height > 0);
  const bool holds_rows = role == "list" || role == "table" || role == "tree" || role == "tree table";
  return flat || (holds_rows && node.extents.empty()) || displaced.contains(index);
}

}  // namespace

bool is_page(const AccessibleNode& node) {
  const auto role = role_name(node.role);
  return role == "document web" || role == "document frame";
}

ElementHandle handle_of(const AccessibleRef& ref) { return {ref.bus + "\n" + ref.path}; }

std::optional<AccessibleRef> ref_of(const ElementHandle& handle) {
  const auto end = handle.native.find('\n');
  if (end == std::string::npos) return std::nullopt;
  AccessibleRef ref{handle.native.substr(0, end), handle.native.substr(end + 1)};
  const bool valid =
      sd_bus_service_name_is_valid(ref.bus.c_str()) > 0 && sd_bus_object_path_is_valid(ref.path.c_str()) > 0;
  return valid ? std::optional(std::move(ref)) : std::nullopt;
}

bool is_window_role(std::uint32_t number) {
  const auto role = role_name(number);
  return role == "frame" || role == "dialog" || role == "file chooser" || role == "alert" || role == "color chooser" ||
         role == "font chooser";
}

bool is_opening(const AccessibleNode& top, const FrameWindow& place) {
  return place.window_id.empty() && place.unplaced.empty() && place.process_has_windows && is_window_role(top.role) &&
         is_showing(top.states);
}

std::vector<std::optional<PlaceMap>> maps_of(const std::vector<AccessibleNode>& nodes, const FrameWindow& place) {
  std::vector<std::optional<PlaceMap>> maps;
  if (!place.unplaced.empty()) {
    maps.resize(nodes.size());
    return maps;
  }
  const auto displacement = displacements(nodes, place);
  std::vector<std::optional<PlaceMap>> inherited;  // Maps without displacements.
  for (const AccessibleNode& node : nodes) {
    const bool top = node.parent == AccessibleNode::kNoParent;
    auto map = top ? place.map : inherited[node.parent];
    if (!top && map && map->scale != 1 && is_page(node) && is_showing(node.states) && !node.extents.empty())
      map = map_of_page(node.extents, extents_around(nodes, node), *map);
    const auto by = displacement[inherited.size()];
    inherited.push_back(map);
    maps.push_back(map && by ? std::optional(map->displaced(*by)) : std::nullopt);
  }
  return maps;
}

std::vector<Element> elements_of(const std::vector<AccessibleNode>& nodes, std::uint32_t pid,
                                 const FrameWindow& place) {
  std::vector<Element> elements;
  std::vector<Viewport> below;   // The viewport of each element's children.
  std::vector<Viewport> around;  // The viewport of each element's column headers.
  std::vector<bool> hidden;      // Whether each element's children are hidden.
  const auto displaced = displaced_menus(nodes);
  const auto maps = maps_of(nodes, place);
  const bool opens = !nodes.empty() && is_opening(nodes.front(), place);
  for (const AccessibleNode& node : nodes) {
    Element element = element_of(node, pid, place, maps[elements.size()]);
    if (opens) std::erase(element.states, ElementState::kShowing);
    Viewport viewport;
    if (node.parent != AccessibleNode::kNoParent) {
      element.parent = handle_of(nodes[node.parent].ref);
      viewport = is_column_header(node) ? around[node.parent] : below[node.parent];
    }
    const bool in_hidden = node.parent != AccessibleNode::kNoParent && hidden[node.parent];
    if (in_hidden) std::erase(element.states, ElementState::kShowing);
    hidden.push_back(in_hidden || hides_children(node, elements.size(), displaced));
    viewport.place(element, may_show(nodes, node) ? Drawn::kYes : Drawn::kNo);
    Viewport inside = viewport.of_children(element);
    if (!node.header.empty() && maps[elements.size()])
      inside = inside.below(maps[elements.size()]->to_desktop(node.header).bottom());
    if (const Rect area = area_of_entries(node); !area.empty() && maps[elements.size()])
      inside = viewport.of_menu(maps[elements.size()]->to_desktop(area));
    below.push_back(inside);
    around.push_back(viewport.of_children(element));
    elements.push_back(std::move(element));
  }
  return elements;
}

}  // namespace da::actuator::x11
