// Symbols on buttons, and the words by which accessibility names them: "+" and "add". Pure; any thread.
#pragma once

#include <string_view>

namespace da::observer {

// True if one is a symbol and the other one of its names. Both are plain and folded.
bool name_the_same(std::string_view a, std::string_view b);

}  // namespace da::observer
