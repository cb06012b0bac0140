// Names of AT-SPI's role and state numbers. Pure; any thread. Source: at-spi2-core 2.46, atspi-constants.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "services/actuator/desktop/roles/ui_tree.h"

namespace da::actuator::x11 {

constexpr std::uint32_t kRoleLabel = 29;
constexpr std::uint32_t kRolePassword = 40;
constexpr std::uint32_t kRoleDocumentWeb = 95;

// Such as "push button"; "unknown" for an unknown number.
std::string_view role_name(std::uint32_t role);

// `states`: the two words of GetState.
bool is_showing(std::uint64_t states);
bool is_defunct(std::uint64_t states);
bool is_active(std::uint64_t states);  // A window with the keyboard focus.
bool is_modal(std::uint64_t states);
bool is_focused(std::uint64_t states);
bool is_editable(std::uint64_t states);
bool is_focusable(std::uint64_t states);
bool is_document(std::uint32_t role);            // A page, which a browser may replace as a whole.
bool manages_descendants(std::uint64_t states);  // A child of the list or table has the focus.
bool is_visible(std::uint64_t states);           // Its container may still hide it.
bool is_selectable(std::uint64_t states);
// Visible, or a row that may be scrolled out, which Qt reports as not visible.
bool may_be_visible(std::uint64_t states);
std::uint64_t with_showing(std::uint64_t states, bool showing);
std::uint64_t disabled(std::uint64_t states);
std::uint64_t unselected(std::uint64_t states);  // Also not focused.
std::vector<ElementState> element_states(std::uint64_t states, std::uint32_t role);

}  // namespace da::actuator::x11
