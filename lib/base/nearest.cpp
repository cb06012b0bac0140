#include "lib/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "lib/base/text.h"

namespace da {
namespace {

constexpr std::size_t kLongestWord = 100;  // Bytes. edits_between() needs memory in proportion to its square.
constexpr std::size_t kLeastPrefix = 3;

// Optimal string alignment distance: insertions, deletions, replacements, and swaps of two neighbours.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) table[i][0] = i;
  std::iota(table[0].begin(), table[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      table[i][j] = std::min({replaced, table[i - 1][j] + 1, table[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> names) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  const std::string folded = fold_case(word);
  std::optional<std::string> best;
  std::size_t least = word.size() / 3 + 1;
  for (const std::string& name : names) {
    if (name.empty() || name.size() > kLongestWord) continue;
    const std::string known = fold_case(name);
    const bool begins = folded.size() >= kLeastPrefix && known.starts_with(folded);
    const std::size_t edits = begins ? 1 : edits_between(folded, known);
    if (edits >= least) continue;
    least = edits;
    best = name;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names) {
  const auto meant = nearest(word, names);
  return meant ? " (did you mean \"" + *meant + "\"?)" : "";
}

}  // namespace da
