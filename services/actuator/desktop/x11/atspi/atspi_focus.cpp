// Finds the focused element: asks the objects that last reported the focus, else searches the whole tree.
#include <algorithm>

#include "services/actuator/desktop/x11/atspi/atspi_elements.h"
#include "services/actuator/desktop/x11/atspi/atspi_tree.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

// An application may be busy, for example opening a dialog, when it is asked for the focus.
constexpr Milliseconds kFocusSilenceLimit{2'000};
constexpr int kMostRounds = 3;
// An application's first window gets the focus before anybody listens, so that only a read of the whole tree finds it.
// The next steps soon ask again.
constexpr Milliseconds kFoundFocusAge{1'000};
constexpr const char* kSelection = "org.a11y.atspi.Selection";

// The selected child of each node that manages its children's focus. LibreOffice reports the focus of a sheet, but that
// of a cell only when it changes.
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
  RETURN_IF_ERROR(batch.run(deadline, kFocusSilenceLimit));
  return children;
}

// Whether the focus cannot be at a descendant. An application may have reported only a container, because the focus was
// inside before anybody listened.
Result<bool> is_innermost(AtspiBus& bus, const AccessibleNode& node, MonoTime deadline) {
  if (manages_descendants(node.states)) return false;
  if (is_editable(node.states)) return true;
  int children = -1;
  CallBatch batch(bus);
  ask_property(batch, node.ref, kAccessible, "ChildCount", children);
  RETURN_IF_ERROR(batch.run(deadline, kFocusSilenceLimit));
  return children == 0;
}

}  // namespace

// The objects that last reported the focus, or were found with it, and still have it. Also asks objects that report it
// meanwhile.
Result<std::vector<AccessibleNode>> AtspiTree::still_focused(const std::string& bus_name, MonoTime deadline) {
  std::vector<AccessibleNode> nodes;
  AccessibleCollector collector(*bus_, memory_, deadline, kFocusSilenceLimit);
  auto reported = bus_->reported_focus_of(bus_name);
  for (int round = 0; round < kMostRounds; ++round) {
    nodes.clear();
    const auto add = [&nodes](const AccessibleRef& ref) {
      const bool known = std::ranges::find(nodes, ref, &AccessibleNode::ref) != nodes.end();
      if (!ref.null() && !known) nodes.emplace_back().ref = ref;
    };
    std::ranges::for_each(reported, add);
    if (found_focus_.ref.bus == bus_name && clock_.now() - found_focus_.at < kFoundFocusAge) add(found_focus_.ref);
    RETURN_IF_ERROR(collector.identify(nodes, 0));
    ASSIGN_OR_RETURN(const auto children, selected_children(*bus_, nodes, deadline));
    const std::size_t first = nodes.size();
    std::ranges::for_each(children, add);
    RETURN_IF_ERROR(collector.identify(nodes, first));
    auto now = bus_->reported_focus_of(bus_name);
    if (now == reported) break;
    reported = std::move(now);
  }
  std::erase_if(nodes, [](const AccessibleNode& node) { return node.role == 0 || !is_focused(node.states); });
  return nodes;
}

// The innermost of them in the window. nullopt when none is there, or a descendant may have the focus.
Result<std::optional<AtspiTree::Placed>> AtspiTree::reported_focus(const std::string& bus_name,
                                                                   const WindowInfo& window, MonoTime deadline) {
  ASSIGN_OR_RETURN(const auto nodes, still_focused(bus_name, deadline));
  std::optional<Placed> innermost;
  for (const AccessibleNode& node : nodes) {
    Asked asked{node.ref, {}, AccessibleCollector(*bus_, memory_, deadline, kFocusSilenceLimit)};
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
  if (const auto use = connect()) {
    for (const std::string& bus_name : applications_.known_of(window.pid)) {
      auto reported = reported_focus(bus_name, window, deadline);
      // Too busy to answer: reading the whole tree would take even longer.
      if (!reported) return FoundElement{{}, true};
      if (*reported) return FoundElement{std::move((*reported)->element), false};
    }
  }
  const MonoTime asked = clock_.now();
  ASSIGN_OR_RETURN(auto found, innermost(window, deadline,
                                         [](const Element& element) { return element.has(ElementState::kFocused); }));
  const bool is_sure = found.element && !found.unread;
  if (const auto ref = is_sure ? ref_of(found.element->handle) : std::nullopt) found_focus_ = {*ref, asked};
  return found;
}

}  // namespace da::actuator::x11
