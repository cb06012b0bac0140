// Asks a question at the terminal. Main thread.
#pragma once

#include <optional>
#include <string>

namespace da::console {

// The line that the person types. nullopt: stdin or stderr is no terminal, it was closed, or a stop signal came.
std::optional<std::string> ask_person(const std::string& question);

}  // namespace da::console
