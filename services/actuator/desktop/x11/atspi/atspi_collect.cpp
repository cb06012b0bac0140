#include "services/actuator/desktop/x11/atspi/atspi_collect.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/evidence/roles.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_long_menus.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_rows.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_scrolled_out.h"

namespace da::actuator::x11 {
namespace {

constexpr std::string_view kJavaBridge = "J2SE-access-bridge";
// So many objects that reading GTK4's cache again takes less time than asking each for its children.
constexpr std::ptrdiff_t kLeastWorthTheCache = 16;
// A container with more children is crowded.
constexpr int kMostChildren = 1500;

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

void AccessibleCollector::ask_kind(CallBatch& batch, AccessibleNode& node) {
  batch.add(node.ref, {kAccessible, "GetRole"}, [&node](sd_bus_message* m) {
    if (m != nullptr) (void)sd_bus_message_read(m, "u", &node.role);
  });
  batch.add(node.ref, {kAccessible, "GetInterfaces"}, [&node](sd_bus_message* m) {
    if (m != nullptr) node.interfaces = read_interfaces(m);
  });
}

// Call it after ask_kind(), because an object that is gone loses its role.
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
    if (const AccessibleNode* const cached = cache_.find(node.ref)) {
      const auto [parent, index] = std::pair(node.parent, node.index_in_parent);
      node = *cached;
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
    if (const AccessibleNode* const known = cache_.find(node.ref)) {
      if (is_defunct(known->states)) continue;
      // Do not use the cache for windows: Chromium's still has what a dialog has replaced.
      const bool top_level = node.parent == AccessibleNode::kNoParent;
      auto cached = top_level || node.child_count > kMostChildren ? std::nullopt : cache_.children(node.ref);
      if (cached) {
        children = *std::move(cached);
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
    if (const AccessibleNode* const cached = cache_.find(node.ref)) {
      node.child_count = cached->child_count;
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
                                     [this](const AccessibleNode& node) { return !cache_.contains(node.ref); });
  if (unknown >= kLeastWorthTheCache) cache_.read(bus_, nodes[from].ref.bus, deadline_, silence_limit_);
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
  if (!sparing_) cache_.read(bus_, roots.front().bus, deadline_, silence_limit_);
  const std::size_t first = nodes.size();
  const auto first_unknown = [&] {
    return std::find_if(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end(),
                        [this](const AccessibleNode& node) { return !cache_.contains(node.ref); });
  };
  const auto reached = reach(roots, max_nodes, nodes);
  if (!sparing_) {
    if (!reached) nodes.erase(first_unknown(), nodes.end());
    if (first_unknown() != nodes.end()) cache_.read(bus_, roots.front().bus, deadline_, silence_limit_);
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
