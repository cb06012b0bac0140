// Reads the places, texts and values of objects that are known already.
#include <algorithm>
#include <limits>

#include "lib/contract/evidence/roles.h"
#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_scrolled_out.h"

namespace da::actuator::x11 {
namespace {

constexpr const char* kValue = "org.a11y.atspi.Value";
constexpr int kMaxTextCharacters = int{kMaxElementText};
// Beyond any desktop, so that reported extents cannot overflow.
constexpr int kLargestExtent = 1 << 20;
constexpr std::uint32_t kLastCharacter = 1U << 24;

// The name of labels and buttons already contains their text.
bool wants_text(const AccessibleNode& node) {
  if (!node.has_interface("Text") || node.role == kRolePassword || node.role == kRoleLabel) return false;
  const auto role = role_name(node.role);
  return role != "push button" && role != "menu item" && role != "menu" && role != "image" && role != "icon";
}

// GTK3 reports this place for hidden objects: widgets on other pages, and scrolled-out rows.
constexpr int kUnplaced = std::numeric_limits<int>::min();

bool is_unplaced(const Rect& r) { return r.x == kUnplaced && r.y == kUnplaced; }

// Returns empty extents for another answer.
Rect read_extents(sd_bus_message* m, const char* type) {
  Rect r;
  if (m == nullptr || sd_bus_message_read(m, type, &r.x, &r.y, &r.width, &r.height) <= 0) return {};
  if (is_unplaced(r)) return r;
  for (int* number : {&r.x, &r.y, &r.width, &r.height}) *number = std::clamp(*number, -kLargestExtent, kLargestExtent);
  return r;
}

bool has_range(const AccessibleNode& node) {
  if (node.role >= contract::kRoles.size() || !node.has_interface("Value")) return false;
  const std::string_view role = contract::kRoles[node.role];
  return role == contract::role("slider") || role == contract::role("spin button") || role == contract::role("dial");
}

// The answers to the questions about one node's value.
struct AskedRange {
  std::size_t node = 0;
  std::optional<double> value = {};
  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
  std::optional<double> step = {};
};

}  // namespace

Result<std::vector<Rect>> AccessibleCollector::text_extents(const AccessibleNode& node,
                                                            std::span<const TextRange> ranges) {
  std::vector<Rect> extents(ranges.size());
  if (!node.has_interface("Text")) return extents;
  CallBatch batch(bus_);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto first = static_cast<std::int32_t>(std::min(ranges[i].first, kLastCharacter));
    const auto end = first + static_cast<std::int32_t>(std::min(ranges[i].count, kLastCharacter));
    batch.add(
        node.ref,
        {kText, "GetRangeExtents",
         [first, end](sd_bus_message* m) { (void)sd_bus_message_append(m, "iiu", first, end, kScreenCoordinates); }},
        [&extent = extents[i]](sd_bus_message* m) {
          extent = read_extents(m, "iiii");
          if (is_unplaced(extent)) extent = {};
        });
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  return extents;
}

void AccessibleCollector::ask_extents(CallBatch& batch, AccessibleNode& node) {
  batch.add(
      node.ref,
      {kComponent, "GetExtents", [](sd_bus_message* m) { (void)sd_bus_message_append(m, "u", kScreenCoordinates); }},
      [&node](sd_bus_message* m) {
        const Rect r = read_extents(m, "(iiii)");
        node.extents = is_unplaced(r) ? Rect{} : r;
        node.unplaced = {};
        if (is_unplaced(r))
          node.unplaced = {0, 0, std::min(r.width, kLargestExtent), std::min(r.height, kLargestExtent)};
      });
}

// Hidden objects need extents too: they show whether an object is scrolled out.
void AccessibleCollector::ask_detail(CallBatch& batch, AccessibleNode& node) {
  if (node.has_interface("Component")) ask_extents(batch, node);
  if (is_showing(node.states) && wants_text(node))
    ask_property(batch, node.ref, kText, "CharacterCount", node.text_length);
}

// Values change without a change of the states, so they are read with the places and texts.
Result<void> AccessibleCollector::read_ranges(std::vector<AccessibleNode>& nodes, std::size_t from) {
  std::vector<AskedRange> asked;
  for (std::size_t i = from; i < nodes.size(); ++i) {
    nodes[i].range.reset();
    if (is_showing(nodes[i].states) && has_range(nodes[i])) asked.push_back({.node = i});
  }
  if (asked.empty() || sparing_) return ok();
  CallBatch batch(bus_);
  for (AskedRange& each : asked) {
    const AccessibleRef& ref = nodes[each.node].ref;
    ask_property(batch, ref, kValue, "CurrentValue", each.value);
    ask_property(batch, ref, kValue, "MinimumValue", each.minimum);
    ask_property(batch, ref, kValue, "MaximumValue", each.maximum);
    ask_property(batch, ref, kValue, "MinimumIncrement", each.step);
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  for (const AskedRange& each : asked) {
    if (!each.value) continue;
    nodes[each.node].range = {*each.value, each.minimum.value_or(0), each.maximum.value_or(0), each.step.value_or(0)};
  }
  return ok();
}

// Reads the length first, because Qt returns no text for a range that is too long.
Result<void> AccessibleCollector::detail(std::vector<AccessibleNode>& nodes, std::size_t from) {
  CallBatch batch(bus_);
  for (std::size_t i = from; i < nodes.size(); ++i) {
    if (may_show(nodes, nodes[i]) && !nodes[i].has_no_place) ask_detail(batch, nodes[i]);
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  if (inferred_) hide_outside(nodes, from);
  CallBatch texts(bus_);
  for (std::size_t i = from; i < nodes.size(); ++i) {
    AccessibleNode& node = nodes[i];
    const int length = std::min(node.text_length, kMaxTextCharacters);
    if (length <= 0) continue;
    texts.add(node.ref,
              {kText, "GetText", [length](sd_bus_message* m) { (void)sd_bus_message_append(m, "ii", 0, length); }},
              [&node](sd_bus_message* m) {
                if (m != nullptr) node.text = read_string(m);
              });
  }
  RETURN_IF_ERROR(texts.run(deadline_, silence_limit_));
  return read_ranges(nodes, from);
}

Result<void> AccessibleCollector::measure_java_frames(std::vector<AccessibleNode>& frames) {
  if (frames.empty() || !toolkit_is_java(frames.front().ref)) return ok();
  ASSIGN_OR_RETURN(const auto children, children_of(frames, 0, frames.size()));
  std::vector<AccessibleNode> panes(frames.size());
  CallBatch batch(bus_);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i].extents = {};
    if (children[i].empty()) continue;
    panes[i].ref = children[i].front();
    ask_extents(batch, panes[i]);
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  for (std::size_t i = 0; i < frames.size(); ++i) frames[i].extents = panes[i].extents;
  return ok();
}

}  // namespace da::actuator::x11
