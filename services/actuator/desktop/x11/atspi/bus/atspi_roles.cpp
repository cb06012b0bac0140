#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

#include "lib/contract/evidence/roles.h"

namespace da::actuator::x11 {
namespace {

using contract::kRoles;

static_assert(kRoles[kRoleLabel] == "label" && kRoles[kRolePassword] == "password text" && kRoles[61] == "text" &&
              kRoles[kRoleDocumentWeb] == "document web" && kRoles[79] == "entry" && kRoles[116] == "static");

enum Bit : unsigned {
  kBitActive = 1,
  kBitChecked = 4,
  kBitDefunct = 6,
  kBitEditable = 7,
  kBitEnabled = 8,
  kBitExpanded = 10,
  kBitFocusable = 11,
  kBitFocused = 12,
  kBitModal = 16,
  kBitMultiLine = 17,
  kBitPressed = 20,
  kBitSelectable = 22,
  kBitSelected = 23,
  kBitSensitive = 24,
  kBitShowing = 25,
  kBitTransient = 28,
  kBitVisible = 30,
  kBitManagesDescendants = 31,
};

constexpr bool has(std::uint64_t states, Bit bit) { return ((states >> bit) & 1U) != 0; }

}  // namespace

std::string_view role_name(std::uint32_t role) { return role < kRoles.size() ? kRoles[role] : "unknown"; }

bool is_showing(std::uint64_t states) { return has(states, kBitShowing) && has(states, kBitVisible); }
bool is_defunct(std::uint64_t states) { return has(states, kBitDefunct); }
bool is_active(std::uint64_t states) { return has(states, kBitActive); }
bool is_modal(std::uint64_t states) { return has(states, kBitModal); }
bool is_focused(std::uint64_t states) { return has(states, kBitFocused); }
bool is_editable(std::uint64_t states) { return has(states, kBitEditable); }
bool is_focusable(std::uint64_t states) { return has(states, kBitFocusable); }
bool is_document(std::uint32_t role) { return role == kRoleDocumentWeb || role_name(role) == "document frame"; }
bool manages_descendants(std::uint64_t states) { return has(states, kBitManagesDescendants); }
bool is_visible(std::uint64_t states) { return has(states, kBitVisible); }
bool is_selectable(std::uint64_t states) { return has(states, kBitSelectable); }
bool may_be_visible(std::uint64_t states) { return is_visible(states) || has(states, kBitTransient); }

std::uint64_t with_showing(std::uint64_t states, bool showing) {
  constexpr std::uint64_t kShowing = std::uint64_t{1} << kBitShowing;
  return showing ? states | kShowing : states & ~kShowing;
}

std::uint64_t disabled(std::uint64_t states) {
  return states & ~(std::uint64_t{1} << kBitSensitive) & ~(std::uint64_t{1} << kBitEnabled);
}

std::uint64_t unselected(std::uint64_t states) {
  return states & ~(std::uint64_t{1} << kBitSelected) & ~(std::uint64_t{1} << kBitFocused);
}

std::vector<ElementState> element_states(std::uint64_t states, std::uint32_t role) {
  std::vector<ElementState> found;
  const auto add_if = [&](bool set, ElementState state) {
    if (set) found.push_back(state);
  };
  add_if(is_showing(states), ElementState::kShowing);
  // GTK4 sets only "sensitive", LibreOffice's cells only "enabled"; others set both or neither.
  add_if(has(states, kBitSensitive) || has(states, kBitEnabled), ElementState::kEnabled);
  add_if(has(states, kBitFocused), ElementState::kFocused);
  add_if(has(states, kBitEditable), ElementState::kEditable);
  // GTK4's toggle buttons are "pressed", those of GTK3 and Qt "checked".
  add_if(has(states, kBitChecked) || (role_name(role) == "toggle button" && has(states, kBitPressed)),
         ElementState::kChecked);
  add_if(has(states, kBitSelectable), ElementState::kSelectable);
  add_if(has(states, kBitSelected), ElementState::kSelected);
  add_if(has(states, kBitExpanded), ElementState::kExpanded);
  add_if(role == kRolePassword, ElementState::kPassword);
  add_if(has(states, kBitFocusable), ElementState::kFocusable);
  add_if(has(states, kBitMultiLine), ElementState::kMultiLine);
  add_if(has(states, kBitTransient), ElementState::kTransient);
  return found;
}

}  // namespace da::actuator::x11
