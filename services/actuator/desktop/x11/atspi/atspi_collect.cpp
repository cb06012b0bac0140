#include "services/actuator/desktop/x11/atspi/atspi_collect.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/evidence/roles.h"
#include "services/actuator/desktop/x11/atspi/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_long_menus.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_rows.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_scrolled_out.h"

namespace da::actuator::x11 {
namespace {

constexpr const char* kValue = "org.a11y.atspi.Value";
constexpr std::string_view kJavaBridge = "J2SE-access-bridge";
constexpr const char* kNewCacheItem = "(so)(so)(so)iiassusau";
// So many objects that reading GTK4's cache again takes less time than asking each for its children.
constexpr std::ptrdiff_t kLeastWorthTheCache = 16;
// A container with more children is crowded.
constexpr int kMostChildren = 1500;
constexpr int kMaxTextCharacters = int{kMaxElementText};
// Beyond any desktop, so that reported extents cannot overflow.
constexpr int kLargestExtent = 1 << 20;
constexpr std::uint32_t kLastCharacter = 1U << 24;

// The name of labels and buttons already contains their text.
bool wants_text(const AccessibleNode& node) {
  if (!node.has_interface("Text") || node.role == kRolePassword || node.role == kRoleLabel) return false;
  const auto role = role_name(node.role);
  return role != "push button" && role != "menu item" && role != "menu" && role != "image" && role != "icon";
}

// GTK3 reports this place for hidden objects: widgets on other pages, and scrolled-out rows.
constexpr int kUnplaced = std::numeric_limits<int>::min();

bool is_unplaced(const Rect& r) { return r.x == kUnplaced && r.y == kUnplaced; }

// Returns empty extents for another answer.
Rect read_extents(sd_bus_message* m, const char* type) {
  Rect r;
  if (m == nullptr || sd_bus_message_read(m, type, &r.x, &r.y, &r.width, &r.height) <= 0) return {};
  if (is_unplaced(r)) return r;
  for (int* number : {&r.x, &r.y, &r.width, &r.height}) *number = std::clamp(*number, -kLargestExtent, kLargestExtent);
  return r;
}

}  // namespace

bool AccessibleNode::has_interface(std::string_view wanted) const {
  return std::ranges::find(interfaces, wanted) != interfaces.end();
}

Result<std::vector<AccessibleRef>> AccessibleCollector::children(const AccessibleRef& object) {
  if (with_line_ == object && line_children_) return *std::exchange(line_children_, std::nullopt);
  std::optional<std::vector<AccessibleRef>> found;
  CallBatch batch(bus_);
  ask_children(batch, object, found);
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  if (!found) return Error{Code::kNotFound, "an element is gone"};
  return *std::move(found);
}

void AccessibleCollector::ask_children(CallBatch& batch, const AccessibleRef& object,
                                       std::optional<std::vector<AccessibleRef>>& found) {
  batch.add(object, {kAccessible, "GetChildren"}, [&found](sd_bus_message* m) {
    if (m == nullptr) return;
    found = read_refs(m);
    std::erase_if(*found, &AccessibleRef::null);
  });
}

Result<std::vector<std::string>> AccessibleCollector::actions(const AccessibleRef& object) {
  std::vector<std::string> names;
  CallBatch batch(bus_);
  batch.add(object, {kAction, "GetActions"}, [&names](sd_bus_message* m) {
    if (m == nullptr || sd_bus_message_enter_container(m, 'a', "(sss)") < 0) return;
    const char* name = nullptr;
    const char* ignored = nullptr;
    while (sd_bus_message_read(m, "(sss)", &name, &ignored, &ignored) > 0) names.emplace_back(name);
  });
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  return names;
}

Result<std::vector<Rect>> AccessibleCollector::text_extents(const AccessibleNode& node,
                                                            std::span<const TextRange> ranges) {
  std::vector<Rect> extents(ranges.size());
  if (!node.has_interface("Text")) return extents;
  CallBatch batch(bus_);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto first = static_cast<std::int32_t>(std::min(ranges[i].first, kLastCharacter));
    const auto end = first + static_cast<std::int32_t>(std::min(ranges[i].count, kLastCharacter));
    batch.add(
        node.ref,
        {kText, "GetRangeExtents",
         [first, end](sd_bus_message* m) { (void)sd_bus_message_append(m, "iiu", first, end, kScreenCoordinates); }},
        [&extent = extents[i]](sd_bus_message* m) {
          extent = read_extents(m, "iiii");
          if (is_unplaced(extent)) extent = {};
        });
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  return extents;
}

bool is_read_sparingly(const AtspiMemory& memory, const AccessibleRef& any) {
  const auto toolkit = memory.toolkits.find(any.bus);
  return toolkit != memory.toolkits.end() && toolkit->second.name == kJavaBridge;
}

bool AccessibleCollector::toolkit_is_java(const AccessibleRef& any) { return toolkit(any).name == kJavaBridge; }

const Toolkit& AccessibleCollector::toolkit(const AccessibleRef& any) {
  if (toolkit_) return *toolkit_;
  if (const auto known = memory_.toolkits.find(any.bus); known != memory_.toolkits.end()) {
    return toolkit_.emplace(known->second);
  }
  const AccessibleRef root{any.bus, "/org/a11y/atspi/accessible/root"};
  Toolkit& reported = toolkit_.emplace();
  CallBatch batch(bus_);
  ask_property(batch, root, kApplication, "ToolkitName", reported.name);
  ask_property(batch, root, kApplication, "Version", reported.version);
  const auto answered = batch.run(deadline_, silence_limit_);
  constexpr std::size_t kMostToolkits = 1'000;
  if (memory_.toolkits.size() > kMostToolkits) memory_.toolkits.clear();
  if (answered && !reported.name.empty()) memory_.toolkits.emplace(any.bus, reported);
  return reported;
}

// An item: reference, application, parent, index in parent, child count, interfaces, name, role, description, states.
void AccessibleCollector::take_cached(sd_bus_message* m) {
  std::vector<std::pair<AccessibleRef, std::pair<int, AccessibleRef>>> parents;
  while (sd_bus_message_enter_container(m, 'r', kNewCacheItem) > 0) {
    AccessibleNode node;
    node.ref = read_ref(m);
    (void)read_ref(m);
    AccessibleRef parent = read_ref(m);
    std::int32_t index = -1;
    std::int32_t count = -1;
    if (sd_bus_message_read(m, "ii", &index, &count) <= 0) return;
    node.child_count = count;
    node.interfaces = read_interfaces(m);
    node.name = read_string(m);
    if (sd_bus_message_read(m, "u", &node.role) <= 0) return;
    (void)read_string(m);
    node.states = read_states(m);
    sd_bus_message_exit_container(m);
    parents.emplace_back(std::move(parent), std::pair(index, node.ref));
    std::string path = node.ref.path;
    cache_.insert_or_assign(std::move(path), CachedNode{std::move(node), {}});
  }
  for (auto& [parent, child] : parents)
    if (const auto found = cache_.find(parent.path); found != cache_.end())
      found->second.children.push_back(std::move(child));
}

// Without a cache, or with one of an older form, each object is asked.
void AccessibleCollector::read_cache(const std::string& bus_name) {
  cache_.clear();
  CallBatch batch(bus_);
  batch.add({bus_name, "/org/a11y/atspi/cache"}, {"org.a11y.atspi.Cache", "GetItems"}, [this](sd_bus_message* m) {
    const std::string item = std::string("(") + kNewCacheItem + ")";
    if (m != nullptr && sd_bus_message_has_signature(m, ("a" + item).c_str()) > 0 &&
        sd_bus_message_enter_container(m, 'a', item.c_str()) >= 0)
      take_cached(m);
  });
  (void)batch.run(deadline_, silence_limit_);
}

void AccessibleCollector::ask_kind(CallBatch& batch, AccessibleNode& node) {
  batch.add(node.ref, {kAccessible, "GetRole"}, [&node](sd_bus_message* m) {
    if (m != nullptr) (void)sd_bus_message_read(m, "u", &node.role);
  });
  batch.add(node.ref, {kAccessible, "GetInterfaces"}, [&node](sd_bus_message* m) {
    if (m != nullptr) node.interfaces = read_interfaces(m);
  });
}

// After ask_kind(): an object that is gone loses its role.
void AccessibleCollector::ask_states(CallBatch& batch, AccessibleNode& node) {
  batch.add(node.ref, {kAccessible, "GetState"}, [&node](sd_bus_message* m) {
    if (m != nullptr) {
      node.states = read_states(m);
    } else {
      node.role = 0;
    }
  });
  ask_property(batch, node.ref, kAccessible, "Name", node.name);
}

Result<void> AccessibleCollector::identify(std::vector<AccessibleNode>& nodes, std::size_t from) {
  if (from >= nodes.size()) return ok();
  sparing_ = toolkit_is_java(nodes[from].ref);
  CallBatch batch(bus_);
  for (std::size_t i = from; i < nodes.size(); ++i) {
    AccessibleNode& node = nodes[i];
    if (node.only_listed) continue;
    if (const auto cached = cache_.find(node.ref.path); cached != cache_.end()) {
      const auto [parent, index] = std::pair(node.parent, node.index_in_parent);
      node = cached->second.node;
      node.parent = parent;
      node.index_in_parent = index;
      continue;
    }
    const auto kind = memory_.kinds.find({node.ref.bus, node.ref.path});
    if (sparing_ && kind != memory_.kinds.end()) {
      node.role = kind->second.role;
      node.interfaces = kind->second.interfaces;
    } else {
      ask_kind(batch, node);
    }
    ask_states(batch, node);
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  if (sparing_) remember_kinds(nodes, from);
  return ok();
}

void AccessibleCollector::remember_kinds(const std::vector<AccessibleNode>& nodes, std::size_t from) {
  constexpr std::size_t kMostKinds = 50'000;
  if (memory_.kinds.size() > kMostKinds) memory_.kinds.clear();
  for (std::size_t i = from; i < nodes.size(); ++i) {
    if (nodes[i].role != 0) memory_.kinds[{nodes[i].ref.bus, nodes[i].ref.path}] = {nodes[i].role, nodes[i].interfaces};
  }
}

void AccessibleCollector::remember_panels(const std::vector<AccessibleNode>& nodes, std::size_t from) {
  constexpr std::size_t kMostPanels = 1'000;
  if (memory_.panels_of_root_panes.size() > kMostPanels) memory_.panels_of_root_panes.clear();
  for (std::size_t i = from; i < nodes.size(); ++i) {
    const AccessibleNode& node = nodes[i];
    if (node.parent == AccessibleNode::kNoParent || role_name(node.role) != "root pane") continue;
    const AccessibleNode& parent = nodes[node.parent];
    if (role_name(parent.role) == "panel") {
      memory_.panels_of_root_panes.insert_or_assign({node.ref.bus, node.ref.path}, parent.ref);
    }
  }
}

// Whether the cached children, sorted by index, may be the present ones. A browser's cache still has the pages that it
// keeps for its "back" button, and not always the page that shows.
bool AccessibleCollector::are_current(const std::vector<std::pair<int, AccessibleRef>>& children) const {
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!std::cmp_equal(children[i].first, i)) return false;
    const auto cached = cache_.find(children[i].second.path);
    if (cached != cache_.end() && is_document(cached->second.node.role)) return false;
  }
  return true;
}

Result<std::vector<std::vector<AccessibleRef>>> AccessibleCollector::children_of(std::vector<AccessibleNode>& nodes,
                                                                                 std::size_t from, std::size_t to) {
  std::vector<std::vector<AccessibleRef>> found(to - from);
  std::vector<std::size_t> crowded;
  const bool uncounted = from < to && toolkit_is_gtk4(nodes[from].ref);
  CallBatch batch(bus_);
  for (std::size_t i = from; i < to; ++i) {
    AccessibleNode& node = nodes[i];
    auto& children = found[i - from];
    if (node.only_listed) {
      for (const ListedChild& part : listed_.at(node.ref.path).child->parts) children.push_back(part.ref);
      continue;
    }
    if (const auto cached = cache_.find(node.ref.path); cached != cache_.end()) {
      auto& [known, below] = cached->second;
      if (is_defunct(known.states)) continue;
      // Do not use the cache for windows: Chromium's still has what a dialog has replaced.
      const bool top_level = node.parent == AccessibleNode::kNoParent;
      std::ranges::stable_sort(below, {}, &std::pair<int, AccessibleRef>::first);
      if (!top_level && node.child_count <= kMostChildren && std::cmp_equal(below.size(), known.child_count) &&
          are_current(below)) {
        for (const auto& [index, child] : below) children.push_back(child);
        continue;
      }
    }
    if (node.child_count == 0 || (sparing_ && !is_showing(node.states))) continue;
    if (node.child_count > kMostChildren) {
      crowded.push_back(i);
      continue;
    }
    batch.add(node.ref, {kAccessible, "GetChildren"}, [&node, &children, uncounted](sd_bus_message* m) {
      children = read_refs(m);
      if (uncounted) node.child_count = static_cast<int>(children.size());
    });
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  for (std::size_t i = from; uncounted && i < to; ++i)
    if (std::cmp_greater(found[i - from].size(), kMostChildren)) crowded.push_back(i);
  for (const std::size_t i : crowded) {
    ASSIGN_OR_RETURN(found[i - from], children_of_crowded(nodes[i], nodes.front()));
  }
  return found;
}

// The cache has the count, but -1 for tables and lists that manage their children themselves.
Result<void> AccessibleCollector::count_children(std::vector<AccessibleNode>& nodes, std::size_t from) {
  CallBatch batch(bus_);
  for (std::size_t i = from; i < nodes.size(); ++i) {
    AccessibleNode& node = nodes[i];
    if (node.only_listed) continue;
    if (const auto cached = cache_.find(node.ref.path); cached != cache_.end()) {
      node.child_count = cached->second.node.child_count;
      if (node.child_count >= 0) continue;
    }
    ask_property(batch, node.ref, kAccessible, "ChildCount", node.child_count);
  }
  return batch.run(deadline_, silence_limit_);
}

// GTK4 lists few children, because its long lists have objects only for the rows that show. So they are asked for at
// once there, which tells their count, too. Its cache has only the objects that were listed before. For many of them,
// reading it again costs less than asking each: most have no children.
Result<void> AccessibleCollector::count_before_listing(std::vector<AccessibleNode>& nodes, std::size_t from) {
  if (from >= nodes.size() || !toolkit_is_gtk4(nodes[from].ref)) return count_children(nodes, from);
  const auto unknown = std::count_if(nodes.begin() + static_cast<std::ptrdiff_t>(from), nodes.end(),
                                     [this](const AccessibleNode& node) { return !cached(node); });
  if (unknown >= kLeastWorthTheCache) read_cache(nodes[from].ref.bus);
  return ok();
}

Result<void> AccessibleCollector::reach(const std::vector<AccessibleRef>& roots, std::size_t max_nodes,
                                        std::vector<AccessibleNode>& nodes) {
  std::unordered_set<std::string> seen;
  const auto add = [&](const AccessibleRef& ref, std::size_t parent) {
    if (ref.null() || !seen.insert(ref.path).second) return;
    if (nodes.size() >= max_nodes) {
      truncated_ = true;
      return;
    }
    AccessibleNode node;
    node.ref = ref;
    node.parent = parent;
    if (const auto listed = listed_.find(ref.path); listed != listed_.end()) {
      const auto& [child, only_listed] = listed->second;
      node.index_in_parent = child->index;
      node.only_listed = only_listed;
      if (only_listed) node.name = child->name;
    }
    nodes.push_back(std::move(node));
  };
  const std::size_t first = nodes.size();
  for (const AccessibleRef& root : roots) add(root, AccessibleNode::kNoParent);
  for (std::size_t level = first; level < nodes.size();) {
    const std::size_t end = nodes.size();
    RETURN_IF_ERROR(count_before_listing(nodes, level));
    if (sparing_) RETURN_IF_ERROR(identify(nodes, level));
    ASSIGN_OR_RETURN(const auto children, children_of(nodes, level, end));
    for (std::size_t i = 0; i < children.size(); ++i)
      for (const AccessibleRef& child : children[i]) add(child, level + i);
    level = end;
  }
  return ok();
}

Result<void> AccessibleCollector::walk(const std::vector<AccessibleRef>& roots, std::size_t max_nodes,
                                       std::vector<AccessibleNode>& nodes) {
  if (roots.empty()) return ok();
  sparing_ = toolkit_is_java(roots.front());
  if (!sparing_) read_cache(roots.front().bus);
  const std::size_t first = nodes.size();
  const auto first_unknown = [&] {
    return std::find_if(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end(),
                        [this](const AccessibleNode& node) { return !cached(node); });
  };
  const auto reached = reach(roots, max_nodes, nodes);
  if (!sparing_) {
    if (!reached) nodes.erase(first_unknown(), nodes.end());
    if (first_unknown() != nodes.end()) read_cache(roots.front().bus);
    RETURN_IF_ERROR(identify(nodes, first));
  }
  RETURN_IF_ERROR(reached);
  remember_panels(nodes, first);
  correct_gtk4(nodes, first);
  find_placeless(nodes, first);
  RETURN_IF_ERROR(detail(nodes, first));
  RETURN_IF_ERROR(read_labels(nodes, first));
  describe_listed(nodes);
  find_column_headers(nodes);
  find_menu_entries(nodes);
  place_scrolled_out_rows(nodes);
  place_scrolled_out_widgets(nodes);
  return ok();
}

void AccessibleCollector::ask_extents(CallBatch& batch, AccessibleNode& node) {
  batch.add(
      node.ref,
      {kComponent, "GetExtents", [](sd_bus_message* m) { (void)sd_bus_message_append(m, "u", kScreenCoordinates); }},
      [&node](sd_bus_message* m) {
        const Rect r = read_extents(m, "(iiii)");
        node.extents = is_unplaced(r) ? Rect{} : r;
        node.unplaced = {};
        if (is_unplaced(r))
          node.unplaced = {0, 0, std::min(r.width, kLargestExtent), std::min(r.height, kLargestExtent)};
      });
}

// Hidden objects need extents too: they show whether an object is scrolled out.
void AccessibleCollector::ask_detail(CallBatch& batch, AccessibleNode& node) {
  if (node.has_interface("Component")) ask_extents(batch, node);
  if (is_showing(node.states) && wants_text(node))
    ask_property(batch, node.ref, kText, "CharacterCount", node.text_length);
}

namespace {

bool has_range(const AccessibleNode& node) {
  if (node.role >= contract::kRoles.size() || !node.has_interface("Value")) return false;
  const std::string_view role = contract::kRoles[node.role];
  return role == contract::role("slider") || role == contract::role("spin button") || role == contract::role("dial");
}

// The answers to the questions about one node's value.
struct AskedRange {
  std::size_t node = 0;
  std::optional<double> value = {};
  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
  std::optional<double> step = {};
};

}  // namespace

// Values change without a change of the states, so they are read with the places and texts.
Result<void> AccessibleCollector::read_ranges(std::vector<AccessibleNode>& nodes, std::size_t from) {
  std::vector<AskedRange> asked;
  for (std::size_t i = from; i < nodes.size(); ++i) {
    nodes[i].range.reset();
    if (is_showing(nodes[i].states) && has_range(nodes[i])) asked.push_back({.node = i});
  }
  if (asked.empty() || sparing_) return ok();
  CallBatch batch(bus_);
  for (AskedRange& each : asked) {
    const AccessibleRef& ref = nodes[each.node].ref;
    ask_property(batch, ref, kValue, "CurrentValue", each.value);
    ask_property(batch, ref, kValue, "MinimumValue", each.minimum);
    ask_property(batch, ref, kValue, "MaximumValue", each.maximum);
    ask_property(batch, ref, kValue, "MinimumIncrement", each.step);
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  for (const AskedRange& each : asked) {
    if (!each.value) continue;
    nodes[each.node].range = {*each.value, each.minimum.value_or(0), each.maximum.value_or(0), each.step.value_or(0)};
  }
  return ok();
}

// GTK knows no place of a cell on a page that was never shown, and writes two warnings into the application's log when
// it is asked. An entry of a closed menu is nowhere, and an application has hundreds of them.
void AccessibleCollector::find_placeless(std::vector<AccessibleNode>& nodes, std::size_t from) {
  for (std::size_t i = from; i < nodes.size(); ++i) {
    AccessibleNode& node = nodes[i];
    if (node.parent == AccessibleNode::kNoParent) continue;
    const AccessibleNode& parent = nodes[node.parent];
    const auto role = role_name(parent.role);
    const bool in_hidden_table = (role == "table" || role == "tree table") && !is_showing(parent.states);
    const bool in_closed_menu = role == "menu" && !is_showing(node.states);
    if (!in_hidden_table && !in_closed_menu) continue;
    node.has_no_place = fold_case(toolkit(parent.ref).name) == "gtk" && (in_hidden_table || !toolkit_is_gtk4(node.ref));
  }
}

// Reads the length first, because Qt returns no text for a range that is too long.
Result<void> AccessibleCollector::detail(std::vector<AccessibleNode>& nodes, std::size_t from) {
  CallBatch batch(bus_);
  for (std::size_t i = from; i < nodes.size(); ++i) {
    if (may_show(nodes, nodes[i]) && !nodes[i].has_no_place) ask_detail(batch, nodes[i]);
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  if (inferred_) hide_outside(nodes, from);
  CallBatch texts(bus_);
  for (std::size_t i = from; i < nodes.size(); ++i) {
    AccessibleNode& node = nodes[i];
    const int length = std::min(node.text_length, kMaxTextCharacters);
    if (length <= 0) continue;
    texts.add(node.ref,
              {kText, "GetText", [length](sd_bus_message* m) { (void)sd_bus_message_append(m, "ii", 0, length); }},
              [&node](sd_bus_message* m) {
                if (m != nullptr) node.text = read_string(m);
              });
  }
  RETURN_IF_ERROR(texts.run(deadline_, silence_limit_));
  return read_ranges(nodes, from);
}

Result<void> AccessibleCollector::measure_java_frames(std::vector<AccessibleNode>& frames) {
  if (frames.empty() || !toolkit_is_java(frames.front().ref)) return ok();
  ASSIGN_OR_RETURN(const auto children, children_of(frames, 0, frames.size()));
  std::vector<AccessibleNode> panes(frames.size());
  CallBatch batch(bus_);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i].extents = {};
    if (children[i].empty()) continue;
    panes[i].ref = children[i].front();
    ask_extents(batch, panes[i]);
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  for (std::size_t i = 0; i < frames.size(); ++i) frames[i].extents = panes[i].extents;
  return ok();
}

Result<bool> AccessibleCollector::unchanged(const std::vector<AccessibleNode>& known) {
  std::vector<AccessibleNode> now(known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    now[i].ref = known[i].ref;
    now[i].has_no_place = known[i].has_no_place;
  }
  RETURN_IF_ERROR(identify(now, 0));
  RETURN_IF_ERROR(count_children(now, 0));
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!reads_the_same(known[i], now[i])) return false;
    now[i].states = known[i].states;
  }
  RETURN_IF_ERROR(detail(now, 0));
  return std::ranges::equal(known, now, [](const AccessibleNode& a, const AccessibleNode& b) {
    return a.extents == b.extents && a.unplaced == b.unplaced && a.text == b.text && a.range == b.range;
  });
}

}  // namespace da::actuator::x11
