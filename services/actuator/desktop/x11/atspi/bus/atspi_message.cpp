#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"

#include <cmath>

#include "lib/contract/evidence/element_name.h"

namespace da::actuator::x11 {
namespace {

constexpr std::size_t kMaxChildren = 20'000;

}  // namespace

AccessibleRef read_ref(sd_bus_message* m) {
  const char* bus = nullptr;
  const char* path = nullptr;
  if (sd_bus_message_read(m, "(so)", &bus, &path) <= 0) return {};
  return {bus, path};
}

std::vector<AccessibleRef> read_refs(sd_bus_message* m) {
  std::vector<AccessibleRef> refs;
  if (m == nullptr || sd_bus_message_enter_container(m, 'a', "(so)") < 0) return refs;
  while (sd_bus_message_at_end(m, 0) == 0 && refs.size() < kMaxChildren) {
    AccessibleRef ref = read_ref(m);
    if (ref.path.empty()) break;
    refs.push_back(std::move(ref));
  }
  return refs;
}

std::string read_string(sd_bus_message* m) {
  const char* text = nullptr;
  return sd_bus_message_read(m, "s", &text) > 0 && text != nullptr ? contract::cut_name(text) : std::string();
}

// "org.a11y.atspi.Component" -> "Component"
std::vector<std::string> read_interfaces(sd_bus_message* m) {
  std::vector<std::string> names;
  if (sd_bus_message_enter_container(m, 'a', "s") < 0) return names;
  const char* name = nullptr;
  while (sd_bus_message_read(m, "s", &name) > 0) {
    const std::string_view whole = name;
    names.emplace_back(whole.substr(whole.rfind('.') + 1));
  }
  sd_bus_message_exit_container(m);
  return names;
}

std::uint64_t read_states(sd_bus_message* m) {
  std::uint64_t states = 0;
  if (sd_bus_message_enter_container(m, 'a', "u") < 0) return 0;
  std::uint32_t word = 0;
  for (unsigned shift = 0; sd_bus_message_read(m, "u", &word) > 0; shift += 32)
    if (shift < 64) states |= std::uint64_t{word} << shift;
  sd_bus_message_exit_container(m);
  return states;
}

Call property_of(const char* interface, const char* name) {
  return {kDBusProperties, "Get",
          [interface, name](sd_bus_message* m) { (void)sd_bus_message_append(m, "ss", interface, name); }};
}

std::string read_string_property(sd_bus_message* m) {
  return m != nullptr && sd_bus_message_enter_container(m, 'v', "s") > 0 ? read_string(m) : std::string();
}

void ask_property(CallBatch& batch, const AccessibleRef& object, const char* interface, const char* name, int& value) {
  batch.add(object, property_of(interface, name), [&value](sd_bus_message* m) {
    if (m != nullptr) (void)sd_bus_message_read(m, "v", "i", &value);
  });
}

void ask_property(CallBatch& batch, const AccessibleRef& object, const char* interface, const char* name,
                  std::optional<double>& value) {
  batch.add(object, property_of(interface, name), [&value](sd_bus_message* m) {
    double number = 0;
    const bool is_read = m != nullptr && sd_bus_message_read(m, "v", "d", &number) > 0 && std::isfinite(number);
    value = is_read ? std::optional(number) : std::nullopt;
  });
}

void ask_property(CallBatch& batch, const AccessibleRef& object, const char* interface, const char* name,
                  std::string& value) {
  batch.add(object, property_of(interface, name), [&value](sd_bus_message* m) { value = read_string_property(m); });
}

}  // namespace da::actuator::x11
