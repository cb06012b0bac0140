#include "services/actuator/desktop/x11/atspi_collect.h"

#include <algorithm>
#include <unordered_set>

#include "services/actuator/desktop/x11/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
constexpr const char* kComponent = "org.a11y.atspi.Component";
constexpr const char* kAction = "org.a11y.atspi.Action";
constexpr const char* kText = "org.a11y.atspi.Text";
constexpr const char* kProperties = "org.freedesktop.DBus.Properties";
constexpr const char* kNewCacheItem = "(so)(so)(so)iiassusau";
constexpr std::uint32_t kScreenCoordinates = 0;
constexpr int kMaxTextCharacters = 2000;
constexpr std::size_t kMaxChildren = 20'000;

AccessibleRef read_ref(sd_bus_message* m) {
  const char* bus = nullptr;
  const char* path = nullptr;
  if (sd_bus_message_read(m, "(so)", &bus, &path) <= 0) return {};
  return {bus, path};
}

std::vector<AccessibleRef> read_refs(sd_bus_message* m) {
  std::vector<AccessibleRef> refs;
  if (m == nullptr || sd_bus_message_enter_container(m, 'a', "(so)") < 0) return refs;
  while (sd_bus_message_at_end(m, 0) == 0 && refs.size() < kMaxChildren) {
    AccessibleRef ref = read_ref(m);
    if (ref.path.empty()) break;
    refs.push_back(std::move(ref));
  }
  return refs;
}

std::string read_string(sd_bus_message* m) {
  const char* text = nullptr;
  return sd_bus_message_read(m, "s", &text) > 0 && text != nullptr ? std::string(text) : std::string();
}

// "org.a11y.atspi.Component" -> "Component"
std::vector<std::string> read_interfaces(sd_bus_message* m) {
  std::vector<std::string> names;
  if (sd_bus_message_enter_container(m, 'a', "s") < 0) return names;
  const char* name = nullptr;
  while (sd_bus_message_read(m, "s", &name) > 0) {
    const std::string_view whole = name;
    names.emplace_back(whole.substr(whole.rfind('.') + 1));
  }
  sd_bus_message_exit_container(m);
  return names;
}

std::uint64_t read_states(sd_bus_message* m) {
  std::uint64_t states = 0;
  if (sd_bus_message_enter_container(m, 'a', "u") < 0) return 0;
  std::uint32_t word = 0;
  for (unsigned shift = 0; sd_bus_message_read(m, "u", &word) > 0; shift += 32)
    if (shift < 64) states |= std::uint64_t{word} << shift;
  sd_bus_message_exit_container(m);
  return states;
}

Call property(const char* name) {
  return {kProperties, "Get", [name](sd_bus_message* m) { (void)sd_bus_message_append(m, "ss", kAccessible, name); }};
}

// Labels and buttons say in their name what their text would.
bool wants_text(const AccessibleNode& node) {
  if (!node.has_interface("Text") || node.role == kRolePassword || node.role == kRoleLabel) return false;
  const auto role = role_name(node.role);
  return role != "push button" && role != "menu item" && role != "menu" && role != "image" && role != "icon";
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

// One item: reference, application, parent, index in parent, number of children, interfaces, name, role, description, states.
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
    if (const auto found = cache_.find(parent.path); found != cache_.end()) found->second.children.push_back(std::move(child));
}

// A cache of an older form, or none, only means that every object is asked.
void AccessibleCollector::read_cache(const std::string& bus_name) {
  if (cached_bus_ == bus_name) return;
  cache_.clear();
  cached_bus_ = bus_name;
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
    batch.add(node.ref, property("Name"), [&node](sd_bus_message* m) {
      if (m != nullptr && sd_bus_message_enter_container(m, 'v', "s") > 0) node.name = read_string(m);
    });
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
    if (node.child_count == 0 || is_defunct(node.states)) continue;
    const auto cached = cache_.find(node.ref.path);
    if (cached != cache_.end() && std::cmp_equal(cached->second.children.size(), node.child_count)) {
      auto& known = cached->second.children;
      std::ranges::stable_sort(known, {}, &std::pair<int, AccessibleRef>::first);
      for (const auto& [index, child] : known) children.push_back(child);
      continue;
    }
    batch.add(node.ref, {kAccessible, "GetChildren"}, [&children](sd_bus_message* m) { children = read_refs(m); });
  }
  RETURN_IF_ERROR(batch.run(deadline_, patience_));
  return found;
}

Result<void> AccessibleCollector::walk(const std::vector<AccessibleRef>& roots, std::size_t max_nodes,
                                       std::vector<AccessibleNode>& nodes) {
  if (roots.empty()) return ok();
  read_cache(roots.front().bus);
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
    RETURN_IF_ERROR(identify(nodes, level));
    ASSIGN_OR_RETURN(const auto children, children_of(nodes, level, end));
    for (std::size_t i = 0; i < children.size(); ++i)
      for (const AccessibleRef& child : children[i]) add(child, level + i);
    level = end;
  }
  return detail(nodes, first);
}

void AccessibleCollector::ask_detail(CallBatch& batch, AccessibleNode& node) {
  if (node.has_interface("Component"))
    batch.add(node.ref,
              {kComponent, "GetExtents",
               [](sd_bus_message* m) { (void)sd_bus_message_append(m, "u", kScreenCoordinates); }},
              [&node](sd_bus_message* m) {
                Rect& r = node.extents;
                if (m != nullptr) (void)sd_bus_message_read(m, "(iiii)", &r.x, &r.y, &r.width, &r.height);
              });
  if (node.has_interface("Action"))
    batch.add(node.ref, {kAction, "GetActions"}, [&node](sd_bus_message* m) {
      if (m == nullptr || sd_bus_message_enter_container(m, 'a', "(sss)") < 0) return;
      const char* name = nullptr;
      const char* ignored = nullptr;
      while (sd_bus_message_read(m, "(sss)", &name, &ignored, &ignored) > 0) node.actions.emplace_back(name);
    });
  if (wants_text(node))
    batch.add(node.ref,
              {kText, "GetText", [](sd_bus_message* m) { (void)sd_bus_message_append(m, "ii", 0, kMaxTextCharacters); }},
              [&node](sd_bus_message* m) {
                if (m != nullptr) node.text = read_string(m);
              });
}

Result<void> AccessibleCollector::detail(std::vector<AccessibleNode>& nodes, std::size_t from) {
  CallBatch batch(bus_);
  for (std::size_t i = from; i < nodes.size(); ++i)
    if (is_showing(nodes[i].states)) ask_detail(batch, nodes[i]);
  return batch.run(deadline_, patience_);
}

}  // namespace da::actuator::x11
