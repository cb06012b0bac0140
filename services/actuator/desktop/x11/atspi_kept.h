// Elements as they were read, and what may have changed since: what was drawn where their application is. They are
// forgotten as soon as a window comes, goes, moves or is raised. One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/atspi_collect.h"
#include "services/actuator/desktop/x11/screen_changes.h"

namespace da::actuator::x11 {

// What was read of one application.
struct KeptTree {
  ElementTree tree;
  std::vector<AccessibleNode> nodes;   // What tree.elements were made of, one each.
  std::vector<AccessibleNode> frames;  // The application's top levels.
  Rect where;                          // Holds all its windows.
  std::uint64_t last_event = 0;        // The bus's number of its last event before it was read.
  MonoTime read_at;
  std::vector<Rect> drawn;  // Since then, within `where`.
};

class KeptTrees {
 public:
  // An application by its bus name, and the one window that was read; an empty id where all were.
  using Key = std::pair<std::string, std::string>;

  KeptTrees(std::unique_ptr<ScreenChanges> changes, const Clock& clock) : changes_(std::move(changes)), clock_(clock) {}

  // Asks what has changed on the screen. Forgets everything where that is not known.
  void look();
  void forget_all() { kept_.clear(); }
  // Null where nothing is kept, or what is kept is too old. Valid until something else is called.
  KeptTree* find(const Key& key, Milliseconds max_age);
  void keep(const Key& key, KeptTree tree);

 private:
  const std::unique_ptr<ScreenChanges> changes_;
  const Clock& clock_;
  std::map<Key, KeptTree> kept_;
};

// Whether the top levels of an application are the same, in the same states and places.
bool same_frames(const std::vector<AccessibleNode>& a, const std::vector<AccessibleNode>& b);

// The nodes that what was drawn may have changed: those that it touches, and what does not show in them. nullopt where
// these are so many that everything is better read again.
std::optional<std::vector<AccessibleNode>> touched(const KeptTree& kept);

}  // namespace da::actuator::x11
