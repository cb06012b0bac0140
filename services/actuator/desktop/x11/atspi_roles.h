// AT-SPI's numbers for roles and states, in words. Pure; any thread.
// Source: at-spi2-core 2.46, atspi-constants.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator::x11 {

constexpr std::uint32_t kRoleLabel = 29;
constexpr std::uint32_t kRolePassword = 40;

// "push button"; "unknown" for a number that is not known.
std::string_view role_name(std::uint32_t role);

// States of the two words that GetState gives.
bool is_showing(std::uint64_t states);
bool is_defunct(std::uint64_t states);
bool is_focused(std::uint64_t states);
bool is_editable(std::uint64_t states);
bool manages_descendants(std::uint64_t states);  // The focus of a list or table is with one of its children.
bool is_visible(std::uint64_t states);           // By its own will; what holds it may still hide it.
// Visible, or a row that may be scrolled out: Qt says of those that they are not visible.
bool may_be_visible(std::uint64_t states);
std::uint64_t with_showing(std::uint64_t states, bool showing);
std::uint64_t disabled(std::uint64_t states);
std::uint64_t unselected(std::uint64_t states);  // Nor focused.
std::vector<ElementState> element_states(std::uint64_t states, std::uint32_t role);

}  // namespace da::actuator::x11
