// Quotes a word of a command line that people copy into a shell. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace da::console {

// Returns `text` as one word for bash and zsh. The word is safe to print: characters that could control the terminal
// stand as $'\xNN'.
std::string shell_word(std::string_view text);

}  // namespace da::console
