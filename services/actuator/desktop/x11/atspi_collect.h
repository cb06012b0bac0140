// Reads the accessible objects below one or more roots of one application, in few round trips.
//
// An application's cache gives most of it at once. Where the cache lacks objects (GTK4 fills it only as it is walked,
// Qt has none) their children are asked level by level; then the cache is read again, and only what it still lacks is
// asked of each object. Extents and texts are asked of all objects together, texts only where they show. Children are
// counted before they are asked for: a crowded container, which has very many, is read by what shows of it
// (atspi_crowded.cpp), because each child that is asked for costs the application memory. A Java application loses
// memory with each answer, its cache being the dearest: it is read sparingly, without the cache, without what is known
// from an earlier look, and without what is below objects that do not show. GTK4 says "showing" of windows alone: there
// it is inferred, from the state of what holds the object and from its place. One thread at a time. An application that
// stops answering costs its patience, not the whole deadline.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
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
  Rect unplaced;                        // At 0,0: its size, where GTK3 tells no place (atspi_rows.h).
  int text_length = 0;                  // In characters.
  std::string text;
  int index_in_parent = -1;  // Of a crowded container's children; -1 of others.
  bool only_listed = false;  // Of a crowded container and does not show: ref, name and parent were asked for, no more.

  static constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
  bool has_interface(std::string_view name) const;
};

struct ListedChild {
  AccessibleRef ref;
  std::string name;
  std::vector<ListedChild> parts;  // Of a child without a name.
  int index = -1;                  // Among the container's children; -1 of a part.
};

// What showed of a crowded container when it was last read. LibreOffice makes a new object for each answer to "what is
// here?", so that the next look asks the known ones where they are instead.
struct CrowdedContainer {
  int child_count = 0;
  Rect area;
  std::vector<AccessibleNode> showing;  // Ref and extents.
  std::shared_ptr<const std::vector<ListedChild>>
      listed;  // All, in their order; null where they are too many for that.
  MonoTime listed_at;
};

// What never changes of an object.
struct ObjectKind {
  std::uint32_t role = 0;
  std::vector<std::string> interfaces;
};

struct Toolkit {
  std::string name;
  std::string version;
};

using ObjectId = std::pair<std::string, std::string>;  // Bus name and path.

// What a look leaves to the next ones.
struct AtspiMemory {
  std::map<std::string, Toolkit> toolkits;  // By bus name.
  std::map<ObjectId, CrowdedContainer> crowded;
  std::map<ObjectId, ObjectKind> kinds;  // Of sparing reads alone.
  // The panels that hold root panes. LibreOffice's root pane is a child of such a panel, and says that another object
  // is its parent.
  std::map<ObjectId, AccessibleRef> panels_of_root_panes;
};

// Whether an application that was read before loses memory with each answer. Java does.
bool is_read_sparingly(const AtspiMemory& memory, const AccessibleRef& any);

class AccessibleCollector {
 public:
  // `memory` is kept from look to look.
  AccessibleCollector(AtspiBus& bus, AtspiMemory& memory, MonoTime deadline, Milliseconds patience)
      : bus_(bus), memory_(memory), deadline_(deadline), patience_(patience) {}

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
  // Whether these nodes of an earlier look would be read as they were. Asks each of them.
  Result<bool> unchanged(const std::vector<AccessibleNode>& known);
  // The innermost object at a point, in the application's coordinates: each object is asked which of its children is
  // there. kNotFound where that ends at one with children: Chromium names what is around the place at first, and what
  // is there only once it has looked.
  Result<AccessibleRef> innermost_at(const AccessibleRef& object, Point at);
  // The extents of one row of a list, which has its place (atspi_rows.h).
  Result<void> place_row(AccessibleNode& row, const AccessibleNode& list);
  // Sets right what GTK4 tells: "showing" (it says so of windows alone) and doubled names. nodes[from] is the window,
  // parents stand before children.
  void correct_gtk4(std::vector<AccessibleNode>& nodes, std::size_t from);
  // Whether its application is one whose buttons and menu items are better asked to act than clicked. GTK4 is: it tells
  // wrong places of what is in a popover. Others are not: an action that opens a modal dialog keeps GTK3 from answering
  // until that is closed, and an action moves no focus, so that a field before it does not take over what was typed.
  bool own_actions_mean_clicks(const AccessibleRef& object) { return toolkit_is_gtk4(object); }
  // Whether its application tells where its elements are on the screen, however wrong it is about its windows. Java
  // does.
  bool tells_places_on_screen(const AccessibleRef& object) { return toolkit_is_java(object); }
  // Whether its application leaves clicks on a dialog that has just opened unheard, so that nobody clicks by mistake
  // what came up under the pointer. Chromium does.
  bool guards_new_dialogs(const AccessibleRef& object) { return toolkit(object).name == "Chromium"; }
  bool truncated() const { return truncated_; }
  // Of the largest container of which no more than the children that show were read; 0 where there was none.
  int most_children() const { return most_children_; }

 private:
  struct CachedNode {
    AccessibleNode node;
    std::vector<std::pair<int, AccessibleRef>> children;  // With their index in the parent.
  };
  void read_cache(const std::string& bus_name);
  void remember_panels(const std::vector<AccessibleNode>& nodes, std::size_t from);
  void remember_kinds(const std::vector<AccessibleNode>& nodes, std::size_t from);
  bool cached(const AccessibleNode& node) const { return cache_.contains(node.ref.path); }
  // Finds the nodes below the roots: their refs and parents alone.
  Result<void> reach(const std::vector<AccessibleRef>& roots, std::size_t max_nodes,
                     std::vector<AccessibleNode>& nodes);
  void take_cached(sd_bus_message* reply);
  // Children of nodes[from, to), in their order; one entry for each node.
  Result<std::vector<std::vector<AccessibleRef>>> children_of(const std::vector<AccessibleNode>& nodes,
                                                              std::size_t from, std::size_t to);
  Result<void> count_children(std::vector<AccessibleNode>& nodes, std::size_t from);
  // Of a crowded container: those that show, and of each other row what names it, where they are few enough for that.
  Result<std::vector<AccessibleRef>> children_of_crowded(const AccessibleNode& crowded, const AccessibleNode& window);
  Result<void> find_showing(CrowdedContainer& known, AccessibleNode crowded, AccessibleNode window);
  Result<void> list_children(CrowdedContainer& known, const AccessibleRef& crowded);
  bool lists_quickly(const AccessibleRef& object);
  Result<int> columns_of(const AccessibleNode& container);
  Result<void> ask_names(std::span<ListedChild* const> children);
  // Role, states and size of the nodes that are only listed.
  static void describe_listed(std::vector<AccessibleNode>& nodes);
  // The objects at these points of `container`, each once, with their extents.
  Result<void> hit_test(const AccessibleRef& container, std::span<const Point> points,
                        std::vector<AccessibleNode>& found);
  static void ask_extents(CallBatch& batch, AccessibleNode& node);
  static void ask_detail(CallBatch& batch, AccessibleNode& node);
  const Toolkit& toolkit(const AccessibleRef& any);
  bool toolkit_is_gtk4(const AccessibleRef& any);
  bool toolkit_is_java(const AccessibleRef& any);
  static void hide_outside(std::vector<AccessibleNode>& nodes, std::size_t from);

  // Whether the known children are where they were.
  Result<bool> in_place(const CrowdedContainer& known);
  // Whether an object that says this now would be read as the known one.
  bool tells_the_same(const AccessibleNode& known, const AccessibleNode& now);

  AtspiBus& bus_;
  AtspiMemory& memory_;
  MonoTime deadline_;
  Milliseconds patience_;
  std::unordered_map<std::string, CachedNode> cache_;  // By path.
  std::optional<Toolkit> toolkit_;                     // Of the one application that this reads.
  struct Listed {
    const ListedChild* child;  // Of listings_.
    bool only_listed;
  };
  std::unordered_map<std::string, Listed> listed_;  // By path.
  std::vector<std::shared_ptr<const std::vector<ListedChild>>> listings_;
  bool sparing_ = false;  // Its application loses memory with each answer.
  bool inferred_ = false;
  bool truncated_ = false;
  int most_children_ = 0;
};

}  // namespace da::actuator::x11
