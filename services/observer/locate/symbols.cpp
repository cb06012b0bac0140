#include "services/observer/locate/symbols.h"

#include <algorithm>
#include <array>
#include <span>

namespace da::observer {
namespace {

struct Meaning {
  std::array<std::string_view, 5> symbols;    // Unused ones are empty.
  std::array<std::string_view, 6> names;      // What the sign is called, wherever it is.
  std::array<std::string_view, 5> also = {};  // What it means in some programs, and something else in others.
};

// Signs of calculators, tool bars and title bars. A letter is no symbol: "x" may be a variable.
constexpr Meaning kMeanings[] = {
    {{"+", "\u2795", "\uff0b"}, {"add", "plus", "zoom in", "increase"}, {"new"}},
    {{"-", "\u2212", "\u2796", "\u2013"}, {"minus", "subtract", "subtraction", "zoom out", "decrease"}, {"remove"}},
    {{"\u00d7", "*", "\u2715", "\u2716", "\u2a2f"},
     {"multiply", "times", "multiplication", "close"},
     {"clear", "remove"}},
    {{"\u00f7", "/", "\u2215"}, {"divide", "divided by", "division"}},
    {{"="}, {"equals", "equal"}, {"result", "calculate"}},
    {{"%"}, {"percent", "percentage", "modulus"}},
    {{"\u221a"}, {"square root", "root", "sqrt"}},
    {{"\u03c0"}, {"pi"}},
    {{"\u00b1", "+/-"}, {"plus minus", "change sign", "negate", "invert sign"}},
    {{"\u232b"}, {"backspace"}, {"back", "delete"}},
    {{"\u2190"}, {"back", "left"}, {"previous", "backspace", "delete", "undo"}},
    {{"\u2192"}, {"forward", "right"}, {"next"}},
    {{"\u2191"}, {"up"}, {"scroll up", "parent folder"}},
    {{"\u2193"}, {"down"}, {"scroll down"}},
    {{"\u2630", "\u2261", "\u22ee", "\u22ef", "\u2026"}, {"menu", "main menu", "open menu"}, {"more", "options"}},
    {{"\u2713", "\u2714"}, {"ok"}, {"apply", "accept", "done", "check"}},
    {{"\u25b6", "\u25ba"}, {"play"}, {"start", "run", "next"}},
    {{"\u23f8"}, {"pause"}},
    {{"\u25a0", "\u23f9"}, {"stop"}},
    {{"?"}, {"help"}},
    {{"\u2699"}, {"settings", "preferences"}, {"options"}},
    {{"\u21bb", "\u27f3", "\u21ba"}, {"reload", "refresh"}, {"redo", "rotate"}},
    {{"\u2605", "\u2606"}, {"favorite", "favourite", "bookmark", "star"}},
};

bool has(std::span<const std::string_view> all, std::string_view one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

SymbolMatch match_symbol(std::string_view a, std::string_view b) {
  auto best = SymbolMatch::kNone;
  if (a.empty() || b.empty()) return best;
  for (const Meaning& each : kMeanings) {
    const bool a_is_sign = has(each.symbols, a);
    const bool b_is_sign = has(each.symbols, b);
    const std::string_view word = a_is_sign ? b : a;
    if (!a_is_sign && !b_is_sign) continue;
    if ((a_is_sign && b_is_sign) || has(each.names, word)) return SymbolMatch::kName;
    if (has(each.also, word)) best = SymbolMatch::kMayMean;
  }
  return best;
}

}  // namespace da::observer
