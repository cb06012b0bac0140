// Keeps what an application's cache tells about its accessible objects, in one answer. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "services/actuator/desktop/x11/atspi/bus/accessible_node.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"

namespace da::actuator::x11 {

class AtspiCache {
 public:
  // Reads all of it again. Stays empty if the application has no cache, or one of an older form.
  void read(AtspiBus& bus, const std::string& bus_name, MonoTime deadline, Milliseconds silence_limit);

  // Null: the cache does not have the object. Valid until the next read().
  const AccessibleNode* find(const AccessibleRef& object) const;
  bool contains(const AccessibleRef& object) const { return find(object) != nullptr; }
  // Returns an object's children, in order. nullopt if not all are known, or if they may not be the present ones: a
  // browser's cache still has the pages that it keeps for its "back" button, and not always the page that shows.
  std::optional<std::vector<AccessibleRef>> children(const AccessibleRef& object) const;

 private:
  struct CachedNode {
    AccessibleNode node;
    std::vector<std::pair<int, AccessibleRef>> children;  // Ordered by the index in the parent, which comes first.
  };

  void take(sd_bus_message* reply);

  std::unordered_map<std::string, CachedNode> objects_;  // Keyed by path.
};

}  // namespace da::actuator::x11
