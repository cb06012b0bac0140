// Words of people and models for kinds of elements. The observer decides which roles they match. Pure; any thread.
#pragma once

#include <array>
#include <string_view>

namespace da::contract {

// Lower case. Longer entries come before entries that they begin or end with.
inline constexpr std::array<std::string_view, 29> kRoleWords = {
    "radio button", "push button", "toggle button", "button",   "combo box",  "combobox",  "drop-down", "dropdown",
    "check box",    "checkbox",    "text field",    "text box", "text area",  "field",     "entry",     "menu item",
    "menu",         "list item",   "tree item",     "item",     "table cell", "table row", "tab",       "link",
    "label",        "slider",      "switch",        "icon",     "dialog"};

}  // namespace da::contract
