// Finds what would get a click instead of the element that is meant: another window, a menu or bubble of its own
// program, an open menu that takes each click, or another element of its page. Runs under the desktop's lock.
#pragma once

#include <optional>

#include "da/v1/outcome.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/target/action_target.h"

namespace da::actuator {

// Whether the element is an entry of a menu, or a menu in a menu or a menu bar.
bool is_menu_entry(const Element& element);

// The refusal of a click on target.element at target.point, as the system and the page themselves tell who gets it;
// nullopt: the element does. A menu of the element's own process does not count where the element is in it.
std::optional<v1::Outcome> refusal_of_covered(Desktop& desktop, const ActionTarget& target, const Clock& clock);

// kAborted: another element of its page gets a click on target.element at target.point, as the page itself tells.
Result<void> check_page_cover(Desktop& desktop, const ActionTarget& target, const Clock& clock);

}  // namespace da::actuator
