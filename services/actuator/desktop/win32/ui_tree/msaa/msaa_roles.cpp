#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_roles.h"

#include <windows.h>
// windows.h must come first:
#include <oleacc.h>

#include <algorithm>
#include <array>

#include "lib/contract/evidence/roles.h"

namespace da::actuator::win32 {
namespace {

using contract::role;

constexpr std::string_view kGeneric;

// Indexed by role, from ROLE_SYSTEM_TITLEBAR (1) on, five per row.
// clang-format off
constexpr auto kRoles = std::to_array<std::string_view>({
    role("title bar"), role("menu bar"), role("scroll bar"), kGeneric, kGeneric,
    kGeneric, kGeneric, role("alert"), kGeneric, kGeneric,
    role("popup menu"), role("menu item"), role("tool tip"), kGeneric, role("document frame"),
    kGeneric, role("chart"), role("dialog"), kGeneric, role("panel"),
    role("separator"), role("tool bar"), role("status bar"), role("table"), role("column header"),
    role("row header"), role("panel"), role("table row"), role("table cell"), role("link"),
    role("tool tip"), kGeneric, role("list box"), role("list item"), role("tree"),
    role("tree item"), role("page tab"), role("panel"), kGeneric, role("image"),
    role("label"), role("text"), role("push button"), role("check box"), role("radio button"),
    role("combo box"), role("list box"), role("progress bar"), role("dial"), role("text"),
    role("slider"), role("spin button"), role("image"), role("animation"), role("math"),
    role("push button menu"), role("push button menu"), role("push button menu"), role("filler"),
    role("page tab list"),
    kGeneric, role("push button menu"), role("text"), role("push button"),
});
// clang-format on
static_assert(kRoles.size() == ROLE_SYSTEM_OUTLINEBUTTON);
static_assert(kRoles[ROLE_SYSTEM_PUSHBUTTON - 1] == "push button");
static_assert(kRoles[ROLE_SYSTEM_PAGETABLIST - 1] == "page tab list");

constexpr auto kClicked = std::to_array<std::int64_t>(
    {ROLE_SYSTEM_PUSHBUTTON, ROLE_SYSTEM_CHECKBUTTON, ROLE_SYSTEM_RADIOBUTTON, ROLE_SYSTEM_LINK, ROLE_SYSTEM_MENUITEM,
     ROLE_SYSTEM_BUTTONDROPDOWN, ROLE_SYSTEM_BUTTONMENU, ROLE_SYSTEM_BUTTONDROPDOWNGRID});

}  // namespace

std::optional<std::string_view> role_of_msaa(std::int64_t role) {
  if (role < 1 || role > static_cast<std::int64_t>(kRoles.size())) return std::nullopt;
  const std::string_view name = kRoles[static_cast<std::size_t>(role - 1)];
  return name == kGeneric ? std::nullopt : std::optional(name);
}

bool default_action_means_click(std::int64_t role) { return std::ranges::find(kClicked, role) != kClicked.end(); }

bool is_protected(std::int64_t msaa_state) { return (msaa_state & STATE_SYSTEM_PROTECTED) != 0; }

void apply_msaa_state(std::int64_t msaa_state, Element& element) {
  const auto has = [&](std::int64_t flag) { return (msaa_state & flag) != 0; };
  const auto add_if = [&](bool set, ElementState state) {
    if (set && !element.has(state)) element.states.push_back(state);
  };
  if (has(STATE_SYSTEM_UNAVAILABLE)) std::erase(element.states, ElementState::kEnabled);
  if (has(STATE_SYSTEM_INVISIBLE | STATE_SYSTEM_OFFSCREEN)) std::erase(element.states, ElementState::kShowing);
  add_if(has(STATE_SYSTEM_FOCUSED), ElementState::kFocused);
  add_if(element.role == role("text") && !has(STATE_SYSTEM_READONLY), ElementState::kEditable);
  add_if(has(STATE_SYSTEM_CHECKED), ElementState::kChecked);
  add_if(has(STATE_SYSTEM_SELECTED), ElementState::kSelected);
  add_if(has(STATE_SYSTEM_EXPANDED), ElementState::kExpanded);
  add_if(has(STATE_SYSTEM_FOCUSABLE), ElementState::kFocusable);
  add_if(has(STATE_SYSTEM_SELECTABLE), ElementState::kSelectable);
  if (!is_protected(msaa_state)) return;
  add_if(true, ElementState::kPassword);
  element.role = role("password text");
}

}  // namespace da::actuator::win32
