// Quotes a word of a command line that people copy into a shell. Pure; any thread.
#pragma once

#include <string>

namespace da::console {

std::string shell_word(const std::string& text);

}  // namespace da::console
