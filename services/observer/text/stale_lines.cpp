#include "services/observer/text/stale_lines.h"

#include <algorithm>
#include <cstddef>

namespace da::observer {
namespace {

constexpr int kLineMargin = 4;
// Changed pixels so close to each other can belong to one line of text, or to one letter.
constexpr int kJoinAcross = 24;
constexpr int kJoinDown = 4;
// A letter of which a part changed, and that is no known word, is not higher.
constexpr int kMostRowsAround = 24;
constexpr int kLeastGap = 8;  // Columns without ink that end a line.

Rect inflated(const Rect& rect, int across, int down) {
  return {rect.x - across, rect.y - down, rect.width + 2 * across, rect.height + 2 * down};
}

bool overlap(const Rect& a, const Rect& b) { return !intersection(a, b).empty(); }

// Replaces rectangles that are near each other by their bounds.
void join_near(std::vector<Rect>& rects, int across, int down) {
  for (std::size_t i = 0; i < rects.size();) {
    const Rect near = inflated(rects[i], across, down);
    const auto other = std::find_if(rects.begin() + static_cast<std::ptrdiff_t>(i) + 1, rects.end(),
                                    [&](const Rect& each) { return overlap(each, near); });
    if (other == rects.end()) {
      ++i;
      continue;
    }
    rects[i] = bounding(rects[i], *other);
    *other = rects.back();
    rects.pop_back();
    // The larger rectangle may be near an earlier one.
    const Rect grown = inflated(rects[i], across, down);
    const auto earlier = std::find_if(rects.begin(), rects.begin() + static_cast<std::ptrdiff_t>(i),
                                      [&](const Rect& each) { return overlap(each, grown); });
    i = static_cast<std::size_t>(earlier - rects.begin());
  }
}

// True if the word is on the area's line of text: level with it and not further away than the next word of a sentence.
bool continues(const Rect& word, const Rect& area) {
  const int level = std::min(word.bottom(), area.bottom()) - std::max(word.y, area.y);
  const int gap = std::max(word.x - area.right(), area.x - word.right());
  return level * 2 >= std::min(word.height, area.height) && gap <= kWidestGap * word.height;
}

class Widening {
 public:
  Widening(const ReadPixels& pixels, const std::vector<OcrWord>& words)
      : pixels_(pixels), words_(words), stale_(words.size(), false) {}

  // Returns the area, widened to whole lines of text.
  Rect widen(Rect area) {
    for (const std::size_t word : words_where([&](const Rect& each) { return overlap(each, area); })) {
      area = bounding(area, words_[word].bounds);
    }
    Rect core = area;  // The area without the ink around it.
    for (;;) {
      for (const std::size_t word : words_where([&](const Rect& each) { return continues(each, area); })) {
        area = bounding(area, words_[word].bounds);
        core = bounding(core, words_[word].bounds);
      }
      const Rect with_ink = add_ink(area, core);
      if (with_ink == area) return area;
      area = with_ink;
    }
  }

  bool is_stale(std::size_t word) const { return stale_[word]; }

 private:
  // Marks and returns the words for which `test` is true.
  template <typename Test>
  std::vector<std::size_t> words_where(Test test) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (!test(words_[i].bounds)) continue;
      stale_[i] = true;
      found.push_back(i);
    }
    return found;
  }

  bool has_known_text(const Rect& where) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (!stale_[i] && overlap(words_[i].bounds, where)) return true;
    }
    return false;
  }

  // Adds parts of letters that OCR did not know: up to a row without ink, and to a gap as between lines side by side.
  Rect add_ink(Rect area, const Rect& core) const {
    const Rect& all = pixels_.area();
    const int top = std::max(all.y, core.y - kMostRowsAround);
    const int bottom = std::min(all.bottom(), core.bottom() + kMostRowsAround);
    const auto row_belongs = [&](int y) {
      return pixels_.has_ink_in_row(y, area.x, area.right()) && !has_known_text({area.x, y, area.width, 1});
    };
    while (area.y > top && row_belongs(area.y - 1)) area = bounding(area, {area.x, area.y - 1, area.width, 1});
    while (area.bottom() < bottom && row_belongs(area.bottom())) ++area.height;
    const int gap = std::max(kLeastGap, area.height);
    for (int x = area.x - 1; x >= all.x && x >= area.x - gap; --x) {
      if (has_known_text({x, area.y, 1, area.height})) break;
      if (pixels_.has_ink_in_column(x, area.y, area.bottom())) area = bounding(area, {x, area.y, 1, area.height});
    }
    for (int x = area.right(); x < all.right() && x < area.right() + gap; ++x) {
      if (has_known_text({x, area.y, 1, area.height})) break;
      if (pixels_.has_ink_in_column(x, area.y, area.bottom())) area.width = x + 1 - area.x;
    }
    return area;
  }

  const ReadPixels& pixels_;
  const std::vector<OcrWord>& words_;
  std::vector<bool> stale_;
};

// The part of a neighbour's rectangle that is not level with the area: lines of dense text overlap.
Rect beside(const Rect& other, const Rect& area) {
  Rect part = other;
  if (part.x >= area.right() || part.right() <= area.x) return part;
  if (part.center().y < area.center().y) {
    part.height = std::min(part.bottom(), area.y) - part.y;
  } else {
    const int y = std::max(part.y, area.bottom());
    part.height = part.bottom() - y;
    part.y = y;
  }
  return part;
}

}  // namespace

std::vector<StaleLines> take_stale_lines(const std::vector<Rect>& changed, const ReadPixels& pixels,
                                         std::vector<OcrWord>& words) {
  std::vector<Rect> areas = changed;
  join_near(areas, kJoinAcross, kJoinDown);
  Widening widening(pixels, words);
  for (bool joined = true; joined;) {
    for (Rect& area : areas) area = widening.widen(area);
    const std::size_t before = areas.size();
    join_near(areas, 0, 0);
    joined = areas.size() < before;
  }
  std::vector<OcrWord> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!widening.is_stale(i)) kept.push_back(std::move(words[i]));
  }
  words = std::move(kept);
  std::vector<StaleLines> result;
  for (const Rect& area : areas) {
    StaleLines lines{area, intersection(inflated(area, kLineMargin, kLineMargin), pixels.area()), {}};
    const auto hide = [&](const Rect& other) {
      const Rect part = intersection(beside(other, area), lines.to_read);
      if (!part.empty()) lines.hidden.push_back(part);
    };
    for (const OcrWord& word : words) hide(inflated(word.bounds, 1, 1));
    for (const Rect& other : areas) {
      if (!(other == area)) hide(other);
    }
    result.push_back(std::move(lines));
  }
  return result;
}

}  // namespace da::observer
