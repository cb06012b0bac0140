// Decides which elements may be clicked by their own accessibility action instead of the pointer. Pure; any thread.
//
// Toolkits offer actions of many elements, but only some mean a click: GTK3's "activate" of a list row does what a
// double click does, and on the row that was selected before. So this is a table of roles (Element.role); all others
// get a real click. UiTree::invoke also excludes whole toolkits.
#pragma once

#include <string_view>

namespace da::actuator {

bool own_action_means_click(std::string_view role);

}  // namespace da::actuator
