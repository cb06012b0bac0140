// Symbols on buttons, and the words by which accessibility names them: "+" and "add". Pure; any thread.
#pragma once

#include <string_view>

namespace da::observer {

enum class SymbolMatch {
  kNone,
  kMayMean,  // One is a symbol that has the other's meaning in some programs: an arrow to the left and "delete".
  kName      // One is a symbol and the other its name, or both are the same symbol.
};

// Both are plain and folded.
SymbolMatch match_symbol(std::string_view a, std::string_view b);

}  // namespace da::observer
