// Caches elements as they were read, with the areas of their applications drawn since. The cache is cleared when a
// window is created, destroyed, moved or raised. One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/screen/screen_changes.h"

namespace da::actuator::x11 {

// The cached elements of one application.
struct KeptTree {
  ElementTree tree;
  std::vector<AccessibleNode> nodes;   // One for each of tree.elements. Their parents count within their top level.
  std::vector<AccessibleNode> frames;  // The application's top levels.
  Rect where;                          // Contains all its windows.
  std::uint64_t last_event = 0;        // AtspiBus::last_event_of() at the read.
  MonoTime read_at;
  std::vector<Rect> drawn;  // Drawn since the read, within `where`.
};

class KeptTrees {
 public:
  // The application's bus name, and the id of the window that was read; empty for all windows.
  using Key = std::pair<std::string, std::string>;

  KeptTrees(std::unique_ptr<ScreenChanges> changes, const Clock& clock) : changes_(std::move(changes)), clock_(clock) {}

  // Reads the changes of the screen. Clears the cache when they are unknown.
  void look();
  void forget_all() { kept_.clear(); }
  // Null when there is no entry, or it is too old. Valid until the next call.
  KeptTree* find(const Key& key, Milliseconds max_age);
  void keep(const Key& key, KeptTree tree);

 private:
  const std::unique_ptr<ScreenChanges> changes_;
  const Clock& clock_;
  std::map<Key, KeptTree> kept_;
};

// Whether the top levels of an application are the same, with the same states and places.
bool same_frames(const std::vector<AccessibleNode>& a, const std::vector<AccessibleNode>& b);

// The nodes that drawing may have changed: those in drawn areas, and their hidden children. nullopt when there are so
// many that reading everything again is cheaper.
std::optional<std::vector<AccessibleNode>> touched(const KeptTree& kept);

}  // namespace da::actuator::x11
