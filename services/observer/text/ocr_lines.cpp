#include <algorithm>

#include "services/observer/text/ocr.h"

namespace da::observer {
namespace {

bool continues_line(const OcrLine& line, const OcrWord& word) {
  const Rect& last = line.words.back().bounds;
  const int overlap = std::min(last.bottom(), word.bounds.bottom()) - std::max(last.y, word.bounds.y);
  const int lower = std::min(last.height, word.bounds.height);
  const int higher = std::max(last.height, word.bounds.height);
  const int gap = word.bounds.x - last.right();
  return overlap * 2 >= lower && gap >= -lower && gap <= kWidestGap * higher;
}

}  // namespace

std::vector<OcrLine> group_lines(std::vector<OcrWord> words) {
  std::stable_sort(words.begin(), words.end(),
                   [](const OcrWord& a, const OcrWord& b) { return a.bounds.x < b.bounds.x; });
  std::vector<OcrLine> lines;
  for (OcrWord& word : words) {
    const auto line =
        std::find_if(lines.begin(), lines.end(), [&](const OcrLine& each) { return continues_line(each, word); });
    OcrLine& target = line == lines.end() ? lines.emplace_back() : *line;
    target.bounds = bounding(target.bounds, word.bounds);
    target.words.push_back(std::move(word));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const OcrLine& a, const OcrLine& b) { return a.bounds.y < b.bounds.y; });
  return lines;
}

}  // namespace da::observer
