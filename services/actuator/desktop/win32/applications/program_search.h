// Finds the program that a name means: a path, a file of PATH or of the system's directories, or an entry of App Paths
// in the registry, which the Run dialog uses too. Executes nothing. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace da::actuator::win32 {

// The canonical absolute path. Only .exe and .com files are programs: batch files need a shell.
std::optional<std::string> find_program(const std::string& name);

// Names of programs that a mistyped name may have meant, without ".exe".
std::vector<std::string> known_programs();

// Whether a program of this path gets a console window.
bool is_console_program(const std::string& path);

}  // namespace da::actuator::win32
