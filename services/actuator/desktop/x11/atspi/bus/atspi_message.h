// Reads and builds parts of AT-SPI's D-Bus messages. Parts of an unexpected form read as empty. Thread: the bus's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"

namespace da::actuator::x11 {

AccessibleRef read_ref(sd_bus_message* m);
std::vector<AccessibleRef> read_refs(sd_bus_message* m);  // A whole reply; null reads as empty.
// Untrusted text, cut to the length of an element's name (lib/contract/evidence/element_name.h).
std::string read_string(sd_bus_message* m);
std::vector<std::string> read_interfaces(sd_bus_message* m);
std::uint64_t read_states(sd_bus_message* m);

// The call that reads a property. The names must be literals.
Call property_of(const char* interface, const char* name);
std::string read_string_property(sd_bus_message* m);
// Adds such a call to the batch, which sets `value`. An error keeps an integer and clears other values.
void ask_property(CallBatch& batch, const AccessibleRef& object, const char* interface, const char* name, int& value);
void ask_property(CallBatch& batch, const AccessibleRef& object, const char* interface, const char* name,
                  std::optional<double>& value);
void ask_property(CallBatch& batch, const AccessibleRef& object, const char* interface, const char* name,
                  std::string& value);

}  // namespace da::actuator::x11
