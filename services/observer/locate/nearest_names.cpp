#include "services/observer/locate/nearest_names.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "services/observer/elements/nameable.h"

namespace da::observer {
namespace {

constexpr double kLeastSimilarity = 0.4;
constexpr double kSameRole = 0.05;
constexpr std::size_t kLongest = 48;  // Characters of a name that count: the cost is quadratic.
constexpr double kBeginning = 0.75;   // "Sett" of "Settings".
constexpr std::size_t kShortestBeginning = 2;
constexpr double kWords = 0.9;  // All words match, in another order.

std::u32string folded_characters(std::string_view name) {
  auto scalars = decode_utf8(comparable_name(plain_name(name)));
  if (!scalars) return {};
  if (scalars->size() > kLongest) scalars->resize(kLongest);
  return *std::move(scalars);
}

// Edit distance with swaps of neighbours ("optimal string alignment").
std::size_t edit_distance(const std::u32string& a, const std::u32string& b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

// 0 if more than a third of the longer one differs.
double by_spelling(const std::u32string& a, const std::u32string& b) {
  const std::size_t longer = std::max(a.size(), b.size());
  const std::size_t shorter = std::min(a.size(), b.size());
  const std::size_t most = std::max<std::size_t>(1, longer / 3);
  if (shorter < 2 || longer - shorter > most) return a == b ? 1 : 0;
  const std::size_t away = edit_distance(a, b);
  return away > most ? 0 : 1 - static_cast<double>(away) / static_cast<double>(longer);
}

double by_beginning(const std::u32string& a, const std::u32string& b) {
  const auto& [shorter, longer] = std::minmax(a, b, [](const auto& x, const auto& y) { return x.size() < y.size(); });
  if (shorter.size() < kShortestBeginning || !longer.starts_with(shorter)) return 0;
  return kBeginning;
}

std::vector<std::u32string> words_of(const std::u32string& text) {
  std::vector<std::u32string> words(1);
  for (const char32_t c : text) {
    const bool between = c < 0x80 && !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'));
    if (!between) words.back() += c;
    if (between && !words.back().empty()) words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// The share of words that have a similar word in the other text.
double by_words(const std::u32string& a, const std::u32string& b) {
  const auto of_a = words_of(a);
  const auto of_b = words_of(b);
  if (of_a.empty() || of_b.empty()) return 0;
  double common = 0;
  for (const auto& word : of_a) {
    double best = 0;
    for (const auto& other : of_b) best = std::max({best, by_spelling(word, other), by_beginning(word, other)});
    common += best;
  }
  common = std::min(common, static_cast<double>(of_b.size()));
  return kWords * 2 * common / static_cast<double>(of_a.size() + of_b.size());
}

double similarity(const std::u32string& a, const std::u32string& b) {
  if (a.empty() || b.empty()) return 0;
  return std::max({by_spelling(a, b), by_beginning(a, b), by_words(a, b)});
}

}  // namespace

double name_similarity(std::string_view name, std::string_view wanted) {
  return similarity(folded_characters(name), folded_characters(wanted));
}

std::vector<v1::Candidate> nearest_names(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target) {
  const std::u32string literal = folded_characters(target.literal);
  const std::u32string narrowed = folded_characters(target.name);
  std::vector<v1::Candidate> nearest;
  v1::UiTree named = nameable(tree, scene);
  for (v1::UiNode& node : *named.mutable_nodes()) {
    const std::u32string name = folded_characters(node.name());
    double score = std::max(similarity(name, literal), similarity(name, narrowed));
    if (score < kLeastSimilarity) continue;
    if (target.kind.wish != RoleWish::kAny && fits(target.kind, node.role())) score += kSameRole;
    v1::Candidate& candidate = nearest.emplace_back();
    candidate.set_source(v1::Candidate::SOURCE_UI_TREE);
    candidate.set_score(std::min(score, 1.0));
    candidate.set_text(node.name());
    *candidate.mutable_bounds() = node.bounds();
    *candidate.mutable_node() = std::move(node);
  }
  std::ranges::stable_sort(nearest, std::greater(), &v1::Candidate::score);
  std::vector<v1::Candidate> distinct;
  for (v1::Candidate& candidate : nearest) {
    if (distinct.size() == kMostNearest) break;
    const bool known = std::ranges::any_of(distinct, [&](const auto& kept) { return kept.text() == candidate.text(); });
    if (!known) distinct.push_back(std::move(candidate));
  }
  return distinct;
}

void add_nearest(FrameCache& frames, const v1::LocateRequest& request, v1::LocateReply& reply) {
  if (!reply.candidates().empty()) return;
  const auto lock = frames.look_for({request.task_id(), request.observation_token()});
  const auto tree = frames.read_ui_tree();
  if (!tree) return;
  const auto windows = frames.windows();
  const auto nearest = nearest_names(*tree, {windows, frames.store().desktop()}, parse_target(request.target()));
  reply.mutable_nearest()->Assign(nearest.begin(), nearest.end());
}

}  // namespace da::observer
