#include "services/observer/text/text_match.h"

#include <algorithm>
#include <cctype>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "services/observer/elements/ui_match.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

// Recognized text may be wrong, and its element is unknown.
constexpr double kTextFactor = 0.9;
constexpr double kLeastTextScore = 0.3;
// This counts in heights of the words. A space is a third to a half of a capital letter wide.
constexpr double kWidestSpace = 0.75;

struct Span {
  double score = 0;
  std::size_t first = 0;
  std::size_t count = 0;
};

std::string joined(const OcrLine& line, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = first; i < first + count; ++i) {
    if (i > first) text += ' ';
    text += line.words[i].text;
  }
  return text;
}

std::size_t word_count(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
}

bool is_punctuation(const OcrWord& word) {
  return std::ranges::none_of(word.text, [](unsigned char c) { return c >= 0x80 || std::isalnum(c) != 0; });
}

// A check box or a bullet, read as punctuation or as one or two letters: it is not much wider than high.
bool is_mark(const OcrWord& word) {
  const auto scalars = decode_utf8(word.text);
  const bool short_word = scalars && scalars->size() <= 2 && word.bounds.width <= word.bounds.height * 5 / 4;
  const bool is_number = std::ranges::any_of(word.text, [](unsigned char c) { return std::isdigit(c) != 0; });
  return is_punctuation(word) || (short_word && !is_number);
}

// Whether only a space is between the two. The items of a menu bar stand further apart.
bool belong_together(const OcrWord& left, const OcrWord& right) {
  const int height = std::max(left.bounds.height, right.bounds.height);
  return right.bounds.x - left.bounds.right() < kWidestSpace * height;
}

// Whether these words are a part of a longer text. Marks before them and punctuation after them do not count.
bool is_part(const OcrLine& line, std::size_t first, std::size_t count) {
  const auto& words = line.words;
  for (std::size_t i = first; i > 0 && belong_together(words[i - 1], words[i]); --i) {
    if (!is_mark(words[i - 1])) return true;
  }
  for (std::size_t i = first + count; i < words.size() && belong_together(words[i - 1], words[i]); ++i) {
    if (!is_punctuation(words[i])) return true;
  }
  return false;
}

// Finds all runs of as many words as `wanted` has, or one fewer or more, because tesseract joins and splits words.
void find_spans(const OcrLine& line, const std::string& wanted, std::vector<Span>& found) {
  if (wanted.empty()) return;
  const std::size_t words = word_count(wanted);
  std::vector<Span> here;
  for (std::size_t count = std::max<std::size_t>(words, 2) - 1; count <= words + 1; ++count) {
    for (std::size_t first = 0; first + count <= line.words.size(); ++first) {
      double score = read_name_score(joined(line, first, count), wanted);
      // Do not report a match together with its neighbours.
      if (count > words && score < 0.9) continue;
      // The reader's confidence does not count: it would choose among equal names.
      score *= kTextFactor;
      // Text alone on its line is more likely a button or a title.
      if (is_part(line, first, count)) score -= 0.05;
      if (score >= kLeastTextScore) here.push_back({score, first, count});
    }
  }
  std::ranges::stable_sort(here, std::greater(), &Span::score);
  std::vector<bool> used(line.words.size(), false);
  for (const Span& span : here) {
    const auto begin = used.begin() + static_cast<std::ptrdiff_t>(span.first);
    const auto end = begin + static_cast<std::ptrdiff_t>(span.count);
    if (std::find(begin, end, true) != end) continue;
    std::fill(begin, end, true);
    found.push_back(span);
  }
}

v1::Candidate candidate_of(const OcrLine& line, const Span& span, Point origin) {
  Rect bounds;
  for (std::size_t i = span.first; i < span.first + span.count; ++i) bounds = bounding(bounds, line.words[i].bounds);
  bounds.x += origin.x;
  bounds.y += origin.y;
  v1::Candidate candidate;
  candidate.set_source(v1::Candidate::SOURCE_OCR);
  candidate.set_score(span.score);
  *candidate.mutable_bounds() = rect_to_wire(bounds);
  candidate.set_text(joined(line, span.first, span.count));
  return candidate;
}

}  // namespace

double read_name_score(const std::string& read, const std::string& wanted) {
  const double score = name_score(read, wanted);
  if (without_accents(read) != read) return score;
  return std::max(score, name_score(read, without_accents(wanted)));
}

std::vector<v1::Candidate> match_text(std::span<const OcrLine> lines, Point origin, const LocatedTarget& target) {
  std::vector<v1::Candidate> candidates;
  for (const OcrLine& line : lines) {
    std::vector<Span> found;
    find_spans(line, plain_name(target.literal), found);
    // Pixels have no roles, so "Save button" matches "Save", too.
    if (found.empty() && target.name != target.literal) find_spans(line, plain_name(target.name), found);
    for (const Span& span : found) candidates.push_back(candidate_of(line, span, origin));
  }
  std::ranges::stable_sort(candidates, std::greater(), &v1::Candidate::score);
  if (candidates.size() > kMaxCandidates) candidates.resize(kMaxCandidates);
  return candidates;
}

}  // namespace da::observer
