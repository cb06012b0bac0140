// Reads the accessible objects below one or more roots of one application, in few round trips.
//
// An application's cache gives most of it at once. Where the cache lacks objects (GTK4 fills it only as it is walked,
// Qt has none) their children are asked level by level; then the cache is read again, and only what it still lacks is
// asked of each object. Extents and texts are asked of all objects together, only where they show. GTK4 says "showing"
// of windows alone: there it is inferred, from the state of what holds the object and from its place. One thread at a
// time. An application that stops answering costs its patience, not the whole deadline.
#pragma once

#include <unordered_map>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/atspi_bus.h"

namespace da::actuator::x11 {

struct AccessibleNode {
  AccessibleRef ref;
  std::size_t parent = kNoParent;  // Index of a node before it.
  std::uint32_t role = 0;
  std::uint64_t states = 0;
  std::string name;
  std::vector<std::string> interfaces;  // Last words, such as "Component".
  int child_count = -1;                 // -1 where it is not known.
  Rect extents;                         // As the application says: screen or window coordinates.
  int text_length = 0;                  // In characters.
  std::string text;

  static constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
  bool has_interface(std::string_view name) const;
};

class AccessibleCollector {
 public:
  AccessibleCollector(AtspiBus& bus, MonoTime deadline, Milliseconds patience)
      : bus_(bus), deadline_(deadline), patience_(patience) {}

  // An object's children, in its order.
  Result<std::vector<AccessibleRef>> children(const AccessibleRef& object);
  // What the object itself can do, by the application's names: "click", "press". Empty where it has no such interface.
  Result<std::vector<std::string>> actions(const AccessibleRef& object);
  // Of each range of the object's text its extents, as the application says them; empty where it does not say.
  Result<std::vector<Rect>> text_extents(const AccessibleNode& node, std::span<const TextRange> ranges);
  // Parents before children, at most max_nodes. What was read before an error is kept in `nodes`.
  Result<void> walk(const std::vector<AccessibleRef>& roots, std::size_t max_nodes, std::vector<AccessibleNode>& nodes);
  // Role, name, states, interfaces of nodes of which only the ref is known.
  Result<void> identify(std::vector<AccessibleNode>& nodes, std::size_t from);
  // Extents and texts of nodes that were identified and show, the first `from` left out.
  Result<void> detail(std::vector<AccessibleNode>& nodes, std::size_t from);
  // Sets right what GTK4 tells: "showing" (it says so of windows alone) and doubled names. nodes[from] is the window,
  // parents stand before children.
  void correct_gtk4(std::vector<AccessibleNode>& nodes, std::size_t from);
  bool truncated() const { return truncated_; }

 private:
  struct CachedNode {
    AccessibleNode node;
    std::vector<std::pair<int, AccessibleRef>> children;  // With their index in the parent.
  };
  void read_cache(const std::string& bus_name);
  bool cached(const AccessibleNode& node) const { return cache_.contains(node.ref.path); }
  // Finds the nodes below the roots: their refs and parents alone.
  Result<void> reach(const std::vector<AccessibleRef>& roots, std::size_t max_nodes,
                     std::vector<AccessibleNode>& nodes);
  void take_cached(sd_bus_message* reply);
  // Children of nodes[from, to), in their order; one entry for each node.
  Result<std::vector<std::vector<AccessibleRef>>> children_of(const std::vector<AccessibleNode>& nodes,
                                                              std::size_t from, std::size_t to);
  void ask_detail(CallBatch& batch, AccessibleNode& node);
  bool toolkit_is_gtk4(const AccessibleRef& any);
  static void hide_outside(std::vector<AccessibleNode>& nodes, std::size_t from);

  AtspiBus& bus_;
  MonoTime deadline_;
  Milliseconds patience_;
  std::unordered_map<std::string, CachedNode> cache_;  // By path.
  std::optional<bool> gtk4_;                           // Of the one application that this reads.
  bool inferred_ = false;
  bool truncated_ = false;
};

}  // namespace da::actuator::x11
