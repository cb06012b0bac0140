// Reads which object labels a field, a box or a drop-down list.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

constexpr std::uint32_t kLabelledBy = 2;  // AT-SPI's number of this relation.
// A form has fewer. Bounds the time for a page or sheet that is full of fields.
constexpr std::size_t kMostLabelled = 300;

bool may_have_label(const AccessibleNode& node) {
  if (node.only_listed || !may_be_visible(node.states)) return false;
  const auto role = role_name(node.role);
  const auto is_one_of = [role](const auto& roles) { return std::ranges::find(roles, role) != roles.end(); };
  constexpr auto kNamedByValue = std::to_array<std::string_view>({"combo box", "spin button", "slider"});
  constexpr auto kFields = std::to_array<std::string_view>(
      {"text", "entry", "password text", "check box", "radio button", "switch", "toggle button"});
  return is_one_of(kNamedByValue) || (node.name.empty() && is_one_of(kFields));
}

AccessibleRef first_label(sd_bus_message* m) {
  AccessibleRef label;
  if (m == nullptr || sd_bus_message_enter_container(m, 'a', "(ua(so))") < 0) return label;
  while (sd_bus_message_enter_container(m, 'r', "ua(so)") > 0) {
    std::uint32_t relation = 0;
    if (sd_bus_message_read(m, "u", &relation) <= 0 || sd_bus_message_enter_container(m, 'a', "(so)") < 0) break;
    while (sd_bus_message_at_end(m, 0) == 0) {
      AccessibleRef target = read_ref(m);
      if (target.null()) break;
      if (relation == kLabelledBy && label.null()) label = std::move(target);
    }
    if (sd_bus_message_exit_container(m) < 0 || sd_bus_message_exit_container(m) < 0) break;
  }
  return label;
}

}  // namespace

Result<void> AccessibleCollector::read_labels(std::vector<AccessibleNode>& nodes, std::size_t from) {
  if (sparing_) return ok();
  std::vector<std::pair<std::size_t, AccessibleRef>> labels;
  for (std::size_t i = from; i < nodes.size() && labels.size() < kMostLabelled; ++i) {
    if (may_have_label(nodes[i])) labels.emplace_back(i, AccessibleRef());
  }
  if (labels.empty()) return ok();
  CallBatch relations(bus_);
  for (auto& [node, label] : labels) {
    relations.add(nodes[node].ref, {kAccessible, "GetRelationSet"},
                  [&label](sd_bus_message* m) { label = first_label(m); });
  }
  RETURN_IF_ERROR(relations.run(deadline_, silence_limit_));
  CallBatch names(bus_);
  for (const auto& [node, label] : labels) {
    if (!label.null()) ask_property(names, label, kAccessible, "Name", nodes[node].label);
  }
  return names.run(deadline_, silence_limit_);
}

}  // namespace da::actuator::x11
