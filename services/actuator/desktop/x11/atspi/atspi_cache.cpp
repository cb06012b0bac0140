#include "services/actuator/desktop/x11/atspi/atspi_cache.h"

#include <algorithm>

#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

// Reference, application, parent, index in parent, child count, interfaces, name, role, description, states.
constexpr const char* kItem = "(so)(so)(so)iiassusau";

}  // namespace

void AtspiCache::take(sd_bus_message* m) {
  std::vector<std::pair<AccessibleRef, std::pair<int, AccessibleRef>>> parents;
  while (sd_bus_message_enter_container(m, 'r', kItem) > 0) {
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
    objects_.insert_or_assign(std::move(path), CachedNode{std::move(node), {}});
  }
  for (auto& [parent, child] : parents)
    if (const auto found = objects_.find(parent.path); found != objects_.end())
      found->second.children.push_back(std::move(child));
  for (auto& [path, object] : objects_)
    std::ranges::stable_sort(object.children, {}, &std::pair<int, AccessibleRef>::first);
}

void AtspiCache::read(AtspiBus& bus, const std::string& bus_name, MonoTime deadline, Milliseconds silence_limit) {
  objects_.clear();
  CallBatch batch(bus);
  batch.add({bus_name, "/org/a11y/atspi/cache"}, {"org.a11y.atspi.Cache", "GetItems"}, [this](sd_bus_message* m) {
    const std::string item = std::string("(") + kItem + ")";
    if (m != nullptr && sd_bus_message_has_signature(m, ("a" + item).c_str()) > 0 &&
        sd_bus_message_enter_container(m, 'a', item.c_str()) >= 0)
      take(m);
  });
  (void)batch.run(deadline, silence_limit);
}

const AccessibleNode* AtspiCache::find(const AccessibleRef& object) const {
  const auto found = objects_.find(object.path);
  return found == objects_.end() ? nullptr : &found->second.node;
}

std::optional<std::vector<AccessibleRef>> AtspiCache::children(const AccessibleRef& object) const {
  const auto found = objects_.find(object.path);
  if (found == objects_.end()) return std::nullopt;
  const auto& [node, below] = found->second;
  if (!std::cmp_equal(below.size(), node.child_count)) return std::nullopt;
  std::vector<AccessibleRef> children;
  for (const auto& [index, child] : below) {
    if (!std::cmp_equal(index, children.size())) return std::nullopt;
    const AccessibleNode* const known = find(child);
    if (known != nullptr && is_document(known->role)) return std::nullopt;
    children.push_back(child);
  }
  return children;
}

}  // namespace da::actuator::x11
