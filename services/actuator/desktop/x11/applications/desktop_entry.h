// Finds applications by the names in their desktop entries (freedesktop.org Desktop Entry Specification). Reads
// $XDG_DATA_HOME and $XDG_DATA_DIRS. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace da::actuator::x11 {

// The words of the Exec line, without field codes (%f, %U, ...), of the entry with this file name (without .desktop) or
// Name, ignoring case. nullopt when there is no such entry.
std::optional<std::vector<std::string>> command_of_desktop_entry(std::string_view name);

// Names and file names (without .desktop) of all applications.
std::vector<std::string> desktop_entry_names();

// The words of an Exec line; empty when the line is invalid.
std::vector<std::string> words_of_exec(std::string_view exec);

}  // namespace da::actuator::x11
