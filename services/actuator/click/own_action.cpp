#include "services/actuator/click/own_action.h"

#include <algorithm>
#include <array>

namespace da::actuator {
namespace {

// Without rows, cells, items of lists and trees, tabs, icons, headers and combo boxes, on purpose.
constexpr auto kRoles = std::to_array<std::string_view>(
    {"push button", "button", "toggle button", "menu button", "push button menu", "check box", "switch", "radio button",
     "menu", "menu item", "check menu item", "radio menu item", "link"});

}  // namespace

bool own_action_means_click(std::string_view role) { return std::ranges::find(kRoles, role) != kRoles.end(); }

}  // namespace da::actuator
