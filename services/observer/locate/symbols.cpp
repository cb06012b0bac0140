#include "services/observer/locate/symbols.h"

#include <algorithm>
#include <array>
#include <span>

namespace da::observer {
namespace {

struct Meaning {
  std::array<std::string_view, 5> symbols;  // Unused ones are empty.
  std::array<std::string_view, 6> words;
};

// Signs of calculators, tool bars and title bars. A letter is no symbol: "x" may be a variable.
constexpr Meaning kMeanings[] = {
    {{"+", "\u2795", "\uff0b"}, {"add", "plus", "new", "zoom in", "increase"}},
    {{"-", "\u2212", "\u2796", "\u2013"}, {"minus", "subtract", "remove", "subtraction", "zoom out", "decrease"}},
    {{"\u00d7", "*", "\u2715", "\u2716", "\u2a2f"},
     {"multiply", "times", "multiplication", "close", "clear", "remove"}},
    {{"\u00f7", "/", "\u2215"}, {"divide", "divided by", "division"}},
    {{"="}, {"equals", "equal", "result", "calculate"}},
    {{"%"}, {"percent", "percentage", "modulus"}},
    {{"\u221a"}, {"square root", "root", "sqrt"}},
    {{"\u03c0"}, {"pi"}},
    {{"\u00b1", "+/-"}, {"plus minus", "change sign", "negate", "invert sign"}},
    {{"\u232b", "\u2190"}, {"backspace", "back", "delete", "previous", "left", "undo"}},
    {{"\u2192"}, {"forward", "next", "right"}},
    {{"\u2191"}, {"up", "scroll up", "parent folder"}},
    {{"\u2193"}, {"down", "scroll down"}},
    {{"\u2630", "\u2261", "\u22ee", "\u22ef", "\u2026"}, {"menu", "main menu", "more", "options", "open menu"}},
    {{"\u2713", "\u2714"}, {"ok", "apply", "accept", "done", "check"}},
    {{"\u25b6", "\u25ba"}, {"play", "start", "run", "next"}},
    {{"\u23f8"}, {"pause"}},
    {{"\u25a0", "\u23f9"}, {"stop"}},
    {{"?"}, {"help"}},
    {{"\u2699"}, {"settings", "preferences", "options"}},
    {{"\u21bb", "\u27f3", "\u21ba"}, {"reload", "refresh", "redo", "rotate"}},
    {{"\u2605", "\u2606"}, {"favorite", "favourite", "bookmark", "star"}},
};

bool has(std::span<const std::string_view> all, std::string_view one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

bool name_the_same(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return false;
  return std::ranges::any_of(kMeanings, [&](const Meaning& each) {
    return (has(each.symbols, a) && (has(each.words, b) || has(each.symbols, b))) ||
           (has(each.symbols, b) && has(each.words, a));
  });
}

}  // namespace da::observer
