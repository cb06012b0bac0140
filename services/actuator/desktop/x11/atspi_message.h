// Parts of AT-SPI's D-Bus messages, as the collector reads them. What does not have the expected form reads as empty.
// One thread, that of the bus.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "services/actuator/desktop/x11/atspi_bus.h"

namespace da::actuator::x11 {

AccessibleRef read_ref(sd_bus_message* m);
std::vector<AccessibleRef> read_refs(sd_bus_message* m);  // Of a whole reply; null reads as empty.
// Names and texts are foreign: what is longer than an element's name may be is cut (lib/contract/element_name.h).
std::string read_string(sd_bus_message* m);
std::vector<std::string> read_interfaces(sd_bus_message* m);
std::uint64_t read_states(sd_bus_message* m);

// The call that asks for a property, and its answer where that is a string. The names must be literals.
Call property_of(const char* interface, const char* name);
std::string read_string_property(sd_bus_message* m);

}  // namespace da::actuator::x11
