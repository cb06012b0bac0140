// Finds an application by the name that people see: its desktop entry (freedesktop.org Desktop Entry Specification).
// Reads $XDG_DATA_HOME and $XDG_DATA_DIRS. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace da::actuator::x11 {

// The Exec line in words, without field codes (%f, %U, ...), of the entry with this file name (without .desktop) or
// Name, whatever the case. nullopt where there is none.
std::optional<std::vector<std::string>> command_of_desktop_entry(std::string_view name);

// Names and file names (without .desktop) of all applications.
std::vector<std::string> desktop_entry_names();

// The words of an Exec line; empty where it is not valid.
std::vector<std::string> words_of_exec(std::string_view exec);

}  // namespace da::actuator::x11
