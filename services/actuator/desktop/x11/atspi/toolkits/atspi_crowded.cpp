// Reads crowded containers, which have too many children to ask each: finds the showing ones by hit tests
// (atspi_hit_points.h), and reads at most the names of the others.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "lib/base/text.h"
#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_hit_points.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_rows.h"

namespace da::actuator::x11 {
namespace {

// Enough for a folder of a thousand files in four columns; LibreOffice has 2^31 cells.
constexpr int kMostListed = 4500;
constexpr Milliseconds kListedFor{500};
// Bounds the memory for containers of closed windows.
constexpr std::size_t kMostCrowded = 16;
constexpr int kMostHits = 64;

bool has_name(const ListedChild& child) {
  return !child.name.empty() ||
         std::ranges::any_of(child.parts, [](const ListedChild& part) { return !part.name.empty(); });
}

// The extents of the newest node found at each point; empty when there is none.
std::vector<Rect> hits_at(std::span<const Point> points, const std::vector<AccessibleNode>& found) {
  std::vector<Rect> hits;
  for (const Point& point : points) {
    const auto hit = std::find_if(found.rbegin(), found.rend(),
                                  [&](const AccessibleNode& node) { return node.extents.contains(point); });
    hits.push_back(hit == found.rend() ? Rect{} : hit->extents);
  }
  return hits;
}

// The middle of the point's pixels on a scaled screen.
Point scaled(Point point, double scale) {
  const auto middle = [scale](int at) { return static_cast<int>(std::floor((at + 0.5) * scale)); };
  return {middle(point.x), middle(point.y)};
}

void ask_index(CallBatch& batch, const AccessibleRef& object, int& index) {
  batch.add(object, {kAccessible, "GetIndexInParent"}, [&index](sd_bus_message* m) {
    if (m != nullptr) (void)sd_bus_message_read(m, "i", &index);
  });
}

}  // namespace

// Gecko takes points in pixels of the screen, although it reports places in logical ones.
double AccessibleCollector::scale_of_questions(const AccessibleRef& container) {
  if (toolkit(container).name != "Gecko") return 1;
  const auto known = memory_.toolkits.find(container.bus);
  return known == memory_.toolkits.end() ? 1 : known->second.scale;
}

Result<void> AccessibleCollector::hit_test(const AccessibleRef& container, std::span<const Point> points,
                                           std::vector<AccessibleNode>& found) {
  std::vector<AccessibleRef> hits;
  CallBatch questions(bus_);
  const double scale = scale_of_questions(container);
  for (const Point& each : points) {
    const Point point = scaled(each, scale);
    questions.add(
        container,
        {kComponent, "GetAccessibleAtPoint",
         [point](sd_bus_message* m) { (void)sd_bus_message_append(m, "iiu", point.x, point.y, kScreenCoordinates); }},
        [&hits](sd_bus_message* m) {
          if (m != nullptr) hits.push_back(read_ref(m));
        });
  }
  RETURN_IF_ERROR(questions.run(deadline_, silence_limit_));
  const std::size_t first = found.size();
  for (AccessibleRef& hit : hits) {
    if (hit.null() || hit == container || std::ranges::find(found, hit, &AccessibleNode::ref) != found.end()) continue;
    found.push_back({});
    found.back().ref = std::move(hit);
  }
  CallBatch places(bus_);
  for (std::size_t i = first; i < found.size(); ++i) ask_extents(places, found[i]);
  return places.run(deadline_, silence_limit_);
}

Result<AccessibleRef> AccessibleCollector::innermost_at(const AccessibleRef& object, Point at) {
  std::vector<AccessibleNode> innermost(1);
  innermost.front().ref = object;
  for (int depth = 0; depth < kMostHits; ++depth) {
    std::vector<AccessibleNode> hits;
    RETURN_IF_ERROR(hit_test(innermost.front().ref, std::array{at}, hits));
    if (hits.empty()) break;
    innermost.front().ref = hits.front().ref;
  }
  RETURN_IF_ERROR(count_children(innermost, 0));
  if (innermost.front().child_count == 0) return innermost.front().ref;
  return Error{Code::kNotFound, "the application names no element at the point"};
}

// The columns of a table; 1 for a list.
Result<int> AccessibleCollector::columns_of(const AccessibleNode& container) {
  int columns = 1;
  CallBatch batch(bus_);
  ask_property(batch, container.ref, kTable, "NColumns", columns);
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  return std::max(columns, 1);
}

Result<void> AccessibleCollector::place_row(AccessibleNode& row, const AccessibleNode& list) {
  std::vector<AccessibleNode> hits;
  Rect rows = list.extents;
  if (const int cut = list.header.bottom() - rows.y; !list.header.empty() && cut > 0 && cut < rows.height) {
    rows = {rows.x, rows.y + cut, rows.width, rows.height - cut};
  }
  RETURN_IF_ERROR(hit_test(list.ref, std::array{rows.center()}, hits));
  if (hits.empty()) return ok();
  int number = 0;
  int showing = 0;
  CallBatch batch(bus_);
  ask_index(batch, row.ref, number);
  ask_index(batch, hits.front().ref, showing);
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  ASSIGN_OR_RETURN(const int columns, columns_of(list));
  row.extents = place_of_row(hits.front().extents, number / columns - showing / columns, row.unplaced);
  return ok();
}

Result<void> AccessibleCollector::find_showing(CrowdedContainer& known, AccessibleNode crowded, AccessibleNode window) {
  CallBatch places(bus_);
  ask_extents(places, crowded);
  ask_extents(places, window);
  RETURN_IF_ERROR(places.run(deadline_, silence_limit_));
  std::vector<AccessibleNode> windows{std::move(window)};
  RETURN_IF_ERROR(measure_java_frames(windows));
  const Rect area = intersection(crowded.extents, windows.front().extents);
  if (known.child_count == crowded.child_count && known.area == area && !known.showing.empty()) {
    ASSIGN_OR_RETURN(const bool same, in_place(known));
    if (same) return ok();
  }
  std::vector<AccessibleNode> found;
  for (LineWalk lines(area);;) {
    const auto points = lines.next();
    if (points.empty()) break;
    RETURN_IF_ERROR(hit_test(crowded.ref, points, found));
    lines.advance(hits_at(points, found));
  }
  std::vector<Rect> hits;
  for (const AccessibleNode& node : found) hits.push_back(node.extents);
  RETURN_IF_ERROR(hit_test(crowded.ref, points_of_crossings(area, hits), found));
  std::ranges::stable_sort(found, {},
                           [](const AccessibleNode& node) { return std::pair(node.extents.y, node.extents.x); });
  known = {crowded.child_count, area, std::move(found), {}, {}};
  if (crowded.child_count > kMostListed || !lists_quickly(crowded.ref)) return ok();
  CallBatch indices(bus_);
  for (AccessibleNode& node : known.showing) ask_index(indices, node.ref, node.index_in_parent);
  return indices.run(deadline_, silence_limit_);
}

Result<bool> AccessibleCollector::in_place(const CrowdedContainer& known) {
  std::vector<AccessibleNode> now = known.showing;
  CallBatch places(bus_);
  for (AccessibleNode& node : now) {
    node.extents = {};
    ask_extents(places, node);
  }
  RETURN_IF_ERROR(places.run(deadline_, silence_limit_));
  return std::ranges::equal(now, known.showing, {}, &AccessibleNode::extents, &AccessibleNode::extents);
}

Result<void> AccessibleCollector::ask_names(std::span<ListedChild* const> children) {
  CallBatch batch(bus_);
  for (ListedChild* child : children) {
    ask_property(batch, child->ref, kAccessible, "Name", child->name);
  }
  return batch.run(deadline_, silence_limit_);
}

// Java did not return the names of 2,000 cells within the silence limit.
bool AccessibleCollector::lists_quickly(const AccessibleRef& object) {
  const std::string name = fold_case(toolkit(object).name);
  return name == "gtk" || name == "qt";
}

// Names of hidden rows may change without an event, so they are cached only for kListedFor. GTK3's cell with an icon
// and a text has no name, but its parts have.
Result<void> AccessibleCollector::list_children(CrowdedContainer& known, const AccessibleRef& crowded) {
  const MonoTime now = bus_.clock().now();
  if (known.listed && now - known.listed_at < kListedFor) return ok();
  ASSIGN_OR_RETURN(auto refs, children(crowded));
  std::vector<ListedChild> listed;
  for (std::size_t i = 0; i < refs.size(); ++i) listed.push_back({std::move(refs[i]), {}, {}, static_cast<int>(i)});
  std::vector<ListedChild*> asked;
  for (ListedChild& child : listed) asked.push_back(&child);
  RETURN_IF_ERROR(ask_names(asked));
  CallBatch parts(bus_);
  for (ListedChild& child : listed) {
    if (!child.name.empty()) continue;
    parts.add(child.ref, {kAccessible, "GetChildren"}, [&child](sd_bus_message* m) {
      for (AccessibleRef& part : read_refs(m)) child.parts.push_back({std::move(part), {}, {}, -1});
    });
  }
  RETURN_IF_ERROR(parts.run(deadline_, silence_limit_));
  asked.clear();
  for (ListedChild& child : listed)
    for (ListedChild& part : child.parts) asked.push_back(&part);
  RETURN_IF_ERROR(ask_names(asked));
  known.listed_at = now;
  known.listed = std::make_shared<const std::vector<ListedChild>>(std::move(listed));
  return ok();
}

Result<std::vector<AccessibleRef>> AccessibleCollector::children_of_crowded(const AccessibleNode& crowded,
                                                                            const AccessibleNode& window) {
  if (memory_.crowded.size() > kMostCrowded) memory_.crowded.clear();
  CrowdedContainer& known = memory_.crowded[{crowded.ref.bus, crowded.ref.path}];
  RETURN_IF_ERROR(find_showing(known, crowded, window));
  std::vector<AccessibleRef> children;
  if (crowded.child_count > kMostListed || !lists_quickly(crowded.ref)) {
    most_children_ = std::max(most_children_, crowded.child_count);
    for (const AccessibleNode& node : known.showing) children.push_back(node.ref);
    return children;
  }
  RETURN_IF_ERROR(list_children(known, crowded.ref));
  ASSIGN_OR_RETURN(const int columns, columns_of(crowded));
  // Qt creates a new object for each answer, so match objects by their index.
  std::map<int, const AccessibleNode*> showing;
  for (const AccessibleNode& node : known.showing) showing.emplace(node.index_in_parent, &node);
  listings_.push_back(known.listed);
  int named_row = -1;
  for (const ListedChild& child : *known.listed) {
    const int row = child.index / columns;
    const bool names_its_row = row != named_row && has_name(child);
    if (names_its_row) named_row = row;
    const auto shown = showing.find(child.index);
    const bool shows = shown != showing.end();
    if (!shows && !names_its_row) continue;
    children.push_back(shows ? shown->second->ref : child.ref);
    listed_.emplace(children.back().path, Listed{&child, !shows});
    if (shows) continue;
    for (const ListedChild& part : child.parts) listed_.emplace(part.ref.path, Listed{&part, true});
  }
  return children;
}

// A hidden row gets the role, states and size of a showing one.
void AccessibleCollector::describe_listed(std::vector<AccessibleNode>& nodes) {
  std::unordered_map<std::size_t, std::size_t> samples;  // Index of a showing cell, keyed by parent.
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!nodes[i].only_listed && role_name(nodes[i].role) == "table cell" && is_showing(nodes[i].states))
      samples.emplace(nodes[i].parent, i);
  for (AccessibleNode& node : nodes) {
    if (!node.only_listed) continue;
    const bool is_part = nodes[node.parent].only_listed;
    const auto sample = samples.find(node.parent);
    if (!is_part && sample == samples.end()) continue;
    const AccessibleNode& like = is_part ? nodes[node.parent] : nodes[sample->second];
    node.role = like.role;
    node.states = unselected(like.states);
    node.interfaces = like.interfaces;
    node.unplaced = is_part ? like.unplaced : Rect{0, 0, like.extents.width, like.extents.height};
  }
}

}  // namespace da::actuator::x11
