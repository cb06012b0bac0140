#include "services/actuator/desktop/x11/atspi_collect.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "services/actuator/desktop/x11/atspi_message.h"
#include "services/actuator/desktop/x11/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
constexpr const char* kComponent = "org.a11y.atspi.Component";
constexpr const char* kAction = "org.a11y.atspi.Action";
constexpr const char* kText = "org.a11y.atspi.Text";
constexpr const char* kNewCacheItem = "(so)(so)(so)iiassusau";
constexpr std::uint32_t kScreenCoordinates = 0;
constexpr int kMaxTextCharacters = int{kMaxElementText};
// Beyond any desktop; what an application says of itself must not overflow.
constexpr int kLargestExtent = 1 << 20;
constexpr std::uint32_t kLastCharacter = 1U << 24;

// Labels and buttons say in their name what their text would.
bool wants_text(const AccessibleNode& node) {
  if (!node.has_interface("Text") || node.role == kRolePassword || node.role == kRoleLabel) return false;
  const auto role = role_name(node.role);
  return role != "push button" && role != "menu item" && role != "menu" && role != "image" && role != "icon";
}

// Empty where there is no such answer.
Rect read_extents(sd_bus_message* m, const char* type) {
  Rect r;
  if (m == nullptr || sd_bus_message_read(m, type, &r.x, &r.y, &r.width, &r.height) <= 0) return {};
  for (int* number : {&r.x, &r.y, &r.width, &r.height}) *number = std::clamp(*number, -kLargestExtent, kLargestExtent);
  return r;
}

}  // namespace

bool AccessibleNode::has_interface(std::string_view wanted) const {
  return std::ranges::find(interfaces, wanted) != interfaces.end();
}

Result<std::vector<AccessibleRef>> AccessibleCollector::children(const AccessibleRef& object) {
  std::vector<AccessibleRef> found;
  bool answered = false;
  CallBatch batch(bus_);
  batch.add(object, {kAccessible, "GetChildren"}, [&](sd_bus_message* m) {
    answered = m != nullptr;
    found = read_refs(m);
  });
  RETURN_IF_ERROR(batch.run(deadline_, patience_));
  std::erase_if(found, [](const AccessibleRef& ref) { return ref.null(); });
  if (!answered) return Error{Code::kNotFound, "an element is gone"};
  return found;
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
  RETURN_IF_ERROR(batch.run(deadline_, patience_));
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
        [&extent = extents[i]](sd_bus_message* m) { extent = read_extents(m, "iiii"); });
  }
  RETURN_IF_ERROR(batch.run(deadline_, patience_));
  return extents;
}

// One item: reference, application, parent, index in parent, number of children, interfaces, name, role, description,
// states.
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

// A cache of an older form, or none, only means that every object is asked.
void AccessibleCollector::read_cache(const std::string& bus_name) {
  cache_.clear();
  CallBatch batch(bus_);
  batch.add({bus_name, "/org/a11y/atspi/cache"}, {"org.a11y.atspi.Cache", "GetItems"}, [this](sd_bus_message* m) {
    const std::string item = std::string("(") + kNewCacheItem + ")";
    if (m != nullptr && sd_bus_message_has_signature(m, ("a" + item).c_str()) > 0 &&
        sd_bus_message_enter_container(m, 'a', item.c_str()) >= 0)
      take_cached(m);
  });
  (void)batch.run(deadline_, patience_);
}

Result<void> AccessibleCollector::identify(std::vector<AccessibleNode>& nodes, std::size_t from) {
  CallBatch batch(bus_);
  for (std::size_t i = from; i < nodes.size(); ++i) {
    AccessibleNode& node = nodes[i];
    if (const auto cached = cache_.find(node.ref.path); cached != cache_.end()) {
      const std::size_t parent = node.parent;
      node = cached->second.node;
      node.parent = parent;
      continue;
    }
    batch.add(node.ref, {kAccessible, "GetRole"}, [&node](sd_bus_message* m) {
      if (m != nullptr) (void)sd_bus_message_read(m, "u", &node.role);
    });
    batch.add(node.ref, {kAccessible, "GetState"}, [&node](sd_bus_message* m) {
      if (m != nullptr) node.states = read_states(m);
    });
    batch.add(node.ref, {kAccessible, "GetInterfaces"}, [&node](sd_bus_message* m) {
      if (m != nullptr) node.interfaces = read_interfaces(m);
    });
    batch.add(node.ref, property_of(kAccessible, "Name"),
              [&node](sd_bus_message* m) { node.name = read_string_property(m); });
  }
  return batch.run(deadline_, patience_);
}

Result<std::vector<std::vector<AccessibleRef>>> AccessibleCollector::children_of(
    const std::vector<AccessibleNode>& nodes, std::size_t from, std::size_t to) {
  std::vector<std::vector<AccessibleRef>> found(to - from);
  CallBatch batch(bus_);
  for (std::size_t i = from; i < to; ++i) {
    const AccessibleNode& node = nodes[i];
    auto& children = found[i - from];
    if (const auto cached = cache_.find(node.ref.path); cached != cache_.end()) {
      auto& [known, below] = cached->second;
      if (is_defunct(known.states)) continue;
      if (std::cmp_equal(below.size(), known.child_count)) {
        std::ranges::stable_sort(below, {}, &std::pair<int, AccessibleRef>::first);
        for (const auto& [index, child] : below) children.push_back(child);
        continue;
      }
    }
    batch.add(node.ref, {kAccessible, "GetChildren"}, [&children](sd_bus_message* m) { children = read_refs(m); });
  }
  RETURN_IF_ERROR(batch.run(deadline_, patience_));
  return found;
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
    nodes.push_back(std::move(node));
  };
  const std::size_t first = nodes.size();
  for (const AccessibleRef& root : roots) add(root, AccessibleNode::kNoParent);
  for (std::size_t level = first; level < nodes.size();) {
    const std::size_t end = nodes.size();
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
  read_cache(roots.front().bus);
  const std::size_t first = nodes.size();
  const auto first_unknown = [&] {
    return std::find_if(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end(),
                        [this](const AccessibleNode& node) { return !cached(node); });
  };
  const auto reached = reach(roots, max_nodes, nodes);
  if (!reached) nodes.erase(first_unknown(), nodes.end());
  if (first_unknown() != nodes.end()) read_cache(roots.front().bus);
  RETURN_IF_ERROR(identify(nodes, first));
  RETURN_IF_ERROR(reached);
  correct_gtk4(nodes, first);
  return detail(nodes, first);
}

void AccessibleCollector::ask_detail(CallBatch& batch, AccessibleNode& node) {
  if (node.has_interface("Component"))
    batch.add(
        node.ref,
        {kComponent, "GetExtents", [](sd_bus_message* m) { (void)sd_bus_message_append(m, "u", kScreenCoordinates); }},
        [&node](sd_bus_message* m) { node.extents = read_extents(m, "(iiii)"); });
  if (wants_text(node))
    batch.add(node.ref, property_of(kText, "CharacterCount"), [&node](sd_bus_message* m) {
      if (m != nullptr) (void)sd_bus_message_read(m, "v", "i", &node.text_length);
    });
}

// Qt gives no text at all where more is asked than there is: hence the length first.
Result<void> AccessibleCollector::detail(std::vector<AccessibleNode>& nodes, std::size_t from) {
  CallBatch batch(bus_);
  for (std::size_t i = from; i < nodes.size(); ++i)
    if (is_showing(nodes[i].states)) ask_detail(batch, nodes[i]);
  RETURN_IF_ERROR(batch.run(deadline_, patience_));
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
  return texts.run(deadline_, patience_);
}

}  // namespace da::actuator::x11
