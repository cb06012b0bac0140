// Reads which object labels a field, a box or a drop-down list, and the placeholder of a field without a label.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

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

bool may_have_placeholder(const AccessibleNode& node) {
  const auto role = role_name(node.role);
  return node.name.empty() && node.label.empty() && (role == "text" || role == "entry" || role == "password text");
}

struct Placeholder {
  bool has_attributes = false;
  std::string attribute;
  std::string description;
};

void read_attributes(sd_bus_message* m, Placeholder& placeholder) {
  if (m == nullptr || sd_bus_message_enter_container(m, 'a', "{ss}") < 0) return;
  while (sd_bus_message_enter_container(m, 'e', "ss") > 0) {
    placeholder.has_attributes = true;
    const std::string name = read_string(m);
    std::string value = read_string(m);
    if (name == "placeholder-text") placeholder.attribute = std::move(value);
    if (sd_bus_message_exit_container(m) < 0) return;
  }
}

}  // namespace

// GTK tells it as an attribute; Qt, which has no attributes, as the description.
Result<void> AccessibleCollector::read_placeholders(std::vector<AccessibleNode>& nodes,
                                                    std::span<const std::size_t> fields) {
  std::vector<Placeholder> placeholders(fields.size());
  CallBatch batch(bus_);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const AccessibleRef& field = nodes[fields[i]].ref;
    batch.add(field, {kAccessible, "GetAttributes"},
              [&placeholder = placeholders[i]](sd_bus_message* m) { read_attributes(m, placeholder); });
    ask_property(batch, field, kAccessible, "Description", placeholders[i].description);
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Placeholder& told = placeholders[i];
    nodes[fields[i]].placeholder = told.has_attributes ? told.attribute : told.description;
  }
  return ok();
}

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
  RETURN_IF_ERROR(names.run(deadline_, silence_limit_));
  std::vector<std::size_t> fields;
  for (const auto& [node, label] : labels) {
    if (may_have_placeholder(nodes[node])) fields.push_back(node);
  }
  return read_placeholders(nodes, fields);
}

}  // namespace da::actuator::x11
