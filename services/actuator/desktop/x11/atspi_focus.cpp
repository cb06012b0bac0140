// Which element has the keyboard focus: asked of the objects that said so last, else looked for in the whole tree.
#include <algorithm>

#include "services/actuator/desktop/x11/atspi_message.h"
#include "services/actuator/desktop/x11/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi_tree.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kPatience{2'000};  // It opens a dialog, say, and is asked about the focus meanwhile.
constexpr int kMostRounds = 3;
constexpr const char* kSelection = "org.a11y.atspi.Selection";

// The first selected child of each that has the focus for its children. LibreOffice tells of a sheet that it has the
// focus, and of the cell only once it is another.
Result<std::vector<AccessibleRef>> selected_children(AtspiBus& bus, const std::vector<AccessibleNode>& nodes,
                                                     MonoTime deadline) {
  std::vector<AccessibleRef> children;
  CallBatch batch(bus);
  for (const AccessibleNode& node : nodes) {
    if (!manages_descendants(node.states) || !node.has_interface("Selection")) continue;
    batch.add(node.ref,
              {kSelection, "GetSelectedChild", [](sd_bus_message* m) { (void)sd_bus_message_append(m, "i", 0); }},
              [&children](sd_bus_message* m) {
                if (m != nullptr) children.push_back(read_ref(m));
              });
  }
  RETURN_IF_ERROR(batch.run(deadline, kPatience));
  return children;
}

// Whether the focus can be nowhere further inside. An application may have told of what holds the focus alone, because
// the focus was inside before anybody listened.
Result<bool> is_innermost(AtspiBus& bus, const AccessibleNode& node, MonoTime deadline) {
  if (manages_descendants(node.states)) return false;
  if (is_editable(node.states)) return true;
  int children = -1;
  CallBatch batch(bus);
  batch.add(node.ref, property_of("org.a11y.atspi.Accessible", "ChildCount"), [&children](sd_bus_message* m) {
    if (m != nullptr) (void)sd_bus_message_read(m, "v", "i", &children);
  });
  RETURN_IF_ERROR(batch.run(deadline, kPatience));
  return children == 0;
}

}  // namespace

// Those of an application that said so last, and say so still. What it sends meanwhile is asked, too.
Result<std::vector<AccessibleNode>> AtspiTree::still_focused(const std::string& bus_name, MonoTime deadline) {
  std::vector<AccessibleNode> nodes;
  AccessibleCollector collector(*bus_, memory_, deadline, kPatience);
  auto told = bus_->told_focus_of(bus_name);
  for (int round = 0; round < kMostRounds; ++round) {
    nodes.clear();
    const auto add = [&nodes](const AccessibleRef& ref) {
      const bool known = std::ranges::find(nodes, ref, &AccessibleNode::ref) != nodes.end();
      if (!ref.null() && !known) nodes.emplace_back().ref = ref;
    };
    std::ranges::for_each(told, add);
    RETURN_IF_ERROR(collector.identify(nodes, 0));
    ASSIGN_OR_RETURN(const auto children, selected_children(*bus_, nodes, deadline));
    const std::size_t first = nodes.size();
    std::ranges::for_each(children, add);
    RETURN_IF_ERROR(collector.identify(nodes, first));
    auto now = bus_->told_focus_of(bus_name);
    if (now == told) break;
    told = std::move(now);
  }
  std::erase_if(nodes, [](const AccessibleNode& node) { return node.role == 0 || !is_focused(node.states); });
  return nodes;
}

// The innermost of them in the window. nullopt where none of them is there, or the focus may be further inside.
Result<std::optional<AtspiTree::Placed>> AtspiTree::told_focus(const std::string& bus_name, const WindowInfo& window,
                                                               MonoTime deadline) {
  ASSIGN_OR_RETURN(const auto nodes, still_focused(bus_name, deadline));
  std::optional<Placed> innermost;
  for (const AccessibleNode& node : nodes) {
    Asked asked{node.ref, {}, AccessibleCollector(*bus_, memory_, deadline, kPatience)};
    auto placed = find(asked, deadline);
    if (!placed && placed.error().code == Code::kNotFound) continue;
    if (!placed) return placed.error();
    const bool there = placed->element.window_id == window.id || placed->element.window_id.empty();
    if (there && (!innermost || placed->depth > innermost->depth)) innermost = *std::move(placed);
  }
  if (!innermost) return innermost;
  ASSIGN_OR_RETURN(const bool is_it, is_innermost(*bus_, innermost->node, deadline));
  return is_it ? std::move(innermost) : std::nullopt;
}

Result<FoundElement> AtspiTree::focused(const WindowInfo& window, MonoTime deadline) {
  if (connect()) {
    const auto use = bus_->use();
    for (const std::string& bus_name : applications_.known_of(window.pid)) {
      auto told = told_focus(bus_name, window, deadline);
      // It is too busy to answer: reading its whole tree would take it longer still.
      if (!told) return FoundElement{{}, true};
      if (*told) return FoundElement{std::move((*told)->element), false};
    }
  }
  return innermost(window, deadline, [](const Element& element) { return element.has(ElementState::kFocused); });
}

}  // namespace da::actuator::x11
