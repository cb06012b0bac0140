// Reads the accessible objects below one or more roots of one application, in few round trips.
//
// - The application's cache provides most objects at once. Children that it lacks (GTK4 fills it only as it is walked,
//   Qt has none) are read level by level; then the cache is read again, and only missing objects are asked.
// - Extents and texts are read in one batch each, texts only of showing objects.
// - Children are counted first. Of a crowded container only showing children are read (atspi_crowded.cpp), because
//   each child that is asked for costs the application memory.
// - Java leaks memory with each answer, most with its cache. It is read sparingly: without the cache, each object's
//   kind only once, and not below hidden objects.
// - GTK4 reports "showing" only for windows. For other objects it is inferred from their container and place.
//
// One thread at a time. An application that stops answering delays a read by the silence limit, not until the deadline.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/x11/atspi/atspi_cache.h"
#include "services/actuator/desktop/x11/atspi/bus/accessible_node.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"

namespace da::actuator::x11 {

struct ListedChild {
  AccessibleRef ref;
  std::string name;
  std::vector<ListedChild> parts;  // Children of a child without a name.
  int index = -1;                  // Index among the container's children; -1 for a part.
};

// The showing children of a crowded container at its last read. LibreOffice creates an object for each hit test, so the
// next read asks the known children for their places instead.
struct CrowdedContainer {
  int child_count = 0;
  Rect area;
  std::vector<AccessibleNode> showing;  // Ref and extents only.
  // All children in order; null when there are too many.
  std::shared_ptr<const std::vector<ListedChild>> listed;
  MonoTime listed_at;
};

// The properties of an object that never change.
struct ObjectKind {
  std::uint32_t role = 0;
  std::vector<std::string> interfaces;
};

struct LineObject {
  AccessibleRef ref;
  ObjectKind kind;
};

struct Toolkit {
  std::string name;
  std::string version;
  double scale = 1;  // Pixels of the desktop for one of the places that it reports, as far as a window has told.
};

using ObjectId = std::pair<std::string, std::string>;  // Bus name and path.

// Knowledge kept from one read to the next.
struct AtspiMemory {
  std::map<std::string, Toolkit> toolkits;  // Keyed by bus name.
  std::map<ObjectId, CrowdedContainer> crowded;
  std::map<ObjectId, ObjectKind> kinds;  // Only for sparing reads.
  // The parents of root panes: LibreOffice's root pane is a child of a panel but reports another parent.
  std::map<ObjectId, AccessibleRef> panels_of_root_panes;
  // An object and its ancestors, the top level first. Each read confirms that they are still the same.
  std::map<ObjectId, std::vector<LineObject>> lines;
};

// Whether this application is known to leak memory with each answer (Java).
bool is_read_sparingly(const AtspiMemory& memory, const AccessibleRef& any);

class AccessibleCollector {
 public:
  AccessibleCollector(AtspiBus& bus, AtspiMemory& memory, MonoTime deadline, Milliseconds silence_limit)
      : bus_(bus), memory_(memory), deadline_(deadline), silence_limit_(silence_limit) {}

  // An object's children, in order.
  Result<std::vector<AccessibleRef>> children(const AccessibleRef& object);
  // Lets the next identified_line() ask for this object's children, too, if that costs no round trip; children() has
  // them then, once.
  void ask_with_line(const AccessibleRef& object) { with_line_ = object; }
  // The application's names of the object's actions: "click", "press". Empty when it has none.
  Result<std::vector<std::string>> actions(const AccessibleRef& object);
  // The reported extents of each range of the object's text; empty for a range without.
  Result<std::vector<Rect>> text_extents(const AccessibleNode& node, std::span<const TextRange> ranges);
  // Appends the objects below the roots to `nodes`, parents before children, at most max_nodes. Keeps what was read
  // before an error.
  Result<void> walk(const std::vector<AccessibleRef>& roots, std::size_t max_nodes, std::vector<AccessibleNode>& nodes);
  // Reads role, name, states and interfaces of nodes[from...], whose refs are set.
  Result<void> identify(std::vector<AccessibleNode>& nodes, std::size_t from);
  // The chain from the top level to the object, without the application's root: identified. kNotFound: it is gone.
  Result<std::vector<AccessibleNode>> identified_line(const AccessibleRef& object);
  // Reads extents and texts of nodes[from...], which are identified, as far as they show.
  Result<void> detail(std::vector<AccessibleNode>& nodes, std::size_t from);
  // Reads the labels that the application relates to nodes[from...], which are identified: of fields, boxes and lists
  // that have no name, or are named by their value.
  Result<void> read_labels(std::vector<AccessibleNode>& nodes, std::size_t from);
  Result<void> read_placeholders(std::vector<AccessibleNode>& nodes, std::span<const std::size_t> fields);
  // Whether reading these nodes again would give the same. Asks each of them.
  Result<bool> unchanged(const std::vector<AccessibleNode>& known);
  // Adds the objects at these points of `container` to `found`, each once, with their extents.
  Result<void> hit_test(const AccessibleRef& container, std::span<const Point> points,
                        std::vector<AccessibleNode>& found);
  // The innermost object at a point in the application's coordinates: asks each object for its child at the point.
  // kNotFound when that ends at an object with children: Chromium first answers with a container, and with the object
  // itself only later.
  Result<AccessibleRef> innermost_at(const AccessibleRef& object, Point at);
  // Sets the extents of one row of a list whose place is known (atspi_rows.h).
  Result<void> place_row(AccessibleNode& row, const AccessibleNode& list);
  // Whether a browser keeps the chain's page only for its "back" button: the page still names its parent, which has
  // another one now.
  Result<bool> is_in_kept_page(const std::vector<AccessibleNode>& chain);
  // Sets the header of each table in a chain from a window to one of its objects.
  Result<void> ask_headers(std::vector<AccessibleNode>& chain);
  // Sets the entries of each open menu in such a chain.
  Result<void> ask_menu_entries(std::vector<AccessibleNode>& chain);
  // Sets the extents of the objects of such a chain that are scrolled out (atspi_scrolled_out.h).
  Result<void> place_chain(std::vector<AccessibleNode>& chain);
  // Corrects GTK4's states (it reports "showing" only for windows) and doubled names. nodes[from] is the window;
  // parents come before children.
  void correct_gtk4(std::vector<AccessibleNode>& nodes, std::size_t from);
  // Sets has_no_place. Before detail(), after identify().
  void find_placeless(std::vector<AccessibleNode>& nodes, std::size_t from);
  // Whether to invoke actions of buttons and menu items instead of clicking. True for GTK4, which reports wrong places
  // inside popovers. False for others: GTK3 does not answer an action that opens a modal dialog until that is closed,
  // and an action does not move the focus, so that a field would not commit the typed text.
  bool own_actions_mean_clicks(const AccessibleRef& object) { return toolkit_is_gtk4(object); }
  // As before, and true for a toolkit that has not told its name.
  bool own_actions_may_mean_clicks(const AccessibleRef& object) {
    return toolkit(object).name.empty() || own_actions_mean_clicks(object);
  }
  // Java's top levels report no place, but their root panes do, which fill them: sets the extents of the top levels.
  Result<void> measure_java_frames(std::vector<AccessibleNode>& frames);
  // Whether top levels themselves report their extents.
  bool frames_have_extents(const AccessibleRef& object) { return !toolkit_is_java(object); }
  // Whether the application ignores clicks on a dialog that has just opened, to prevent accidental clicks (Chromium).
  bool guards_new_dialogs(const AccessibleRef& object) { return toolkit(object).name == "Chromium"; }
  // Whether its hit test answers from places that may be old, and only later from the page (Chromium).
  bool answers_late(const AccessibleRef& object) { return toolkit(object).name == "Chromium"; }
  bool truncated() const { return truncated_; }
  // Child count of the largest container of which only showing children were read; 0 when there was none.
  int most_children() const { return most_children_; }

 private:
  void remember_panels(const std::vector<AccessibleNode>& nodes, std::size_t from);
  // The object and its ancestors, the top level first.
  Result<std::vector<AccessibleNode>> walk_up(const AccessibleRef& object);
  // Empty if an object of the line has another parent now.
  Result<std::vector<AccessibleNode>> identify_known(const std::vector<LineObject>& line);
  static void ask_kind(CallBatch& batch, AccessibleNode& node);
  static void ask_states(CallBatch& batch, AccessibleNode& node);
  void remember_kinds(const std::vector<AccessibleNode>& nodes, std::size_t from);
  // Finds the nodes below the roots: only their refs and parents.
  Result<void> reach(const std::vector<AccessibleRef>& roots, std::size_t max_nodes,
                     std::vector<AccessibleNode>& nodes);
  // The children of each of nodes[from, to), in order.
  Result<std::vector<std::vector<AccessibleRef>>> children_of(std::vector<AccessibleNode>& nodes, std::size_t from,
                                                              std::size_t to);
  Result<void> count_children(std::vector<AccessibleNode>& nodes, std::size_t from);
  Result<void> count_before_listing(std::vector<AccessibleNode>& nodes, std::size_t from);
  // The showing children of a crowded container and, when it has few enough, one named cell of each hidden row.
  Result<std::vector<AccessibleRef>> children_of_crowded(const AccessibleNode& crowded, const AccessibleNode& window);
  Result<void> find_showing(CrowdedContainer& known, AccessibleNode crowded, AccessibleNode window);
  Result<void> list_children(CrowdedContainer& known, const AccessibleRef& crowded);
  bool lists_quickly(const AccessibleRef& object);
  Result<int> columns_of(const AccessibleNode& container);
  Result<void> ask_names(std::span<ListedChild* const> children);
  // Sets role, states and size of the nodes that are only listed.
  static void describe_listed(std::vector<AccessibleNode>& nodes);
  static void ask_extents(CallBatch& batch, AccessibleNode& node);
  static void ask_detail(CallBatch& batch, AccessibleNode& node);
  Result<void> read_ranges(std::vector<AccessibleNode>& nodes, std::size_t from);
  const Toolkit& toolkit(const AccessibleRef& any);
  bool toolkit_is_gtk4(const AccessibleRef& any);
  bool toolkit_is_java(const AccessibleRef& any);
  double scale_of_questions(const AccessibleRef& container);
  static void hide_outside(std::vector<AccessibleNode>& nodes, std::size_t from);

  // `found` stays empty if the object is gone.
  static void ask_children(CallBatch& batch, const AccessibleRef& object,
                           std::optional<std::vector<AccessibleRef>>& found);
  // Whether the known children still have the same places.
  Result<bool> in_place(const CrowdedContainer& known);
  // Whether `now` would be read as `known`: role, states, name and number of children.
  bool reads_the_same(const AccessibleNode& known, const AccessibleNode& now);

  AtspiBus& bus_;
  AtspiMemory& memory_;
  MonoTime deadline_;
  Milliseconds silence_limit_;
  AtspiCache cache_;
  std::optional<AccessibleRef> with_line_;
  std::optional<std::vector<AccessibleRef>> line_children_;  // Children of with_line_.
  std::optional<Toolkit> toolkit_;                           // Toolkit of the application that is read.
  struct Listed {
    const ListedChild* child;  // Points into listings_.
    bool only_listed;
  };
  std::unordered_map<std::string, Listed> listed_;  // Keyed by path.
  std::vector<std::shared_ptr<const std::vector<ListedChild>>> listings_;
  bool sparing_ = false;   // The application leaks memory with each answer.
  bool inferred_ = false;  // "Showing" is inferred (GTK4).
  bool truncated_ = false;
  int most_children_ = 0;
};

}  // namespace da::actuator::x11
