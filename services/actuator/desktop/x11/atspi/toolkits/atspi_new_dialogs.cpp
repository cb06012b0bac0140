#include "services/actuator/desktop/x11/atspi/toolkits/atspi_new_dialogs.h"

#include <algorithm>

#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

// Chromium ignores clicks for 500 ms; 100 ms margin.
constexpr Milliseconds kGuarded{600};
// Bounds the memory for closed dialogs.
constexpr std::size_t kMostDialogs = 64;

}  // namespace

void NewDialogs::disable(std::vector<AccessibleNode>& nodes, AccessibleCollector& collector) {
  enum class Place : std::uint8_t { kOutside, kInPage, kInNewDialog };
  std::vector<Place> places(nodes.size(), Place::kOutside);
  const MonoTime now = clock_.now();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    AccessibleNode& node = nodes[i];
    if (node.parent != AccessibleNode::kNoParent) places[i] = places[node.parent];
    const auto role = role_name(node.role);
    if (role == "document web") places[i] = Place::kInPage;  // Dialogs of a web page accept clicks at once.
    const bool opens = places[i] == Place::kOutside && (role == "dialog" || role == "alert") && is_showing(node.states);
    if (opens && collector.guards_new_dialogs(node.ref)) {
      if (since_.size() > kMostDialogs) since_.clear();
      const auto [known, first] = since_.try_emplace({node.ref.bus, node.ref.path}, now);
      if (now - known->second < kGuarded) places[i] = Place::kInNewDialog;
    }
    if (places[i] == Place::kInNewDialog) node.states = disabled(node.states);
  }
}

bool NewDialogs::any_guarded() const {
  const MonoTime now = clock_.now();
  return std::ranges::any_of(since_, [now](const auto& dialog) { return now - dialog.second < kGuarded; });
}

}  // namespace da::actuator::x11
