// Which elements may be clicked by their own accessibility action instead of the pointer. Pure; any thread.
//
// Toolkits offer actions of many elements, and only some mean what a person's click means. GTK3's "activate" of a list
// row, for one, runs what a double click runs, on the row that was selected before, whichever row was asked. So this
// is a table of roles (the words of Element.role); everything that is not in it gets a real click. A back end leaves
// out whole toolkits besides (UiTree::invoke).
#pragma once

#include <string_view>

namespace da::actuator {

bool own_action_means_click(std::string_view role);

}  // namespace da::actuator
