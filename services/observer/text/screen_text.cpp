#include "services/observer/text/screen_text.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

#include "services/observer/text/stale_lines.h"

namespace da::observer {
namespace {

template <typename Items>
std::int64_t total_area(const Items& items, auto rect_of) {
  std::int64_t sum = 0;
  for (const auto& item : items) sum += rect_of(item).area();
  return sum;
}

}  // namespace

Result<const std::vector<OcrLine>*> ScreenText::lines(const FrameStore& store, const Rect& wanted) {
  const Rect area = intersection(wanted, {0, 0, store.grid().width, store.grid().height});
  const bool usable = !tiles_.empty() && area == pixels_.area() && grid_ == store.grid();
  if (usable && tiles_ == store.tile_hashes()) return &lines_;
  Part part = Part::kAll;
  if (usable) {
    auto read = read_changed(store);
    tiles_.clear();  // If OCR fails, the next call reads everything.
    if (!read) return read.error();
    part = *read;
  }
  tiles_.clear();
  if (part == Part::kAll) RETURN_IF_ERROR(read_all(store, area));
  std::ranges::sort(words_, {}, [](const OcrWord& word) {
    return std::tuple(word.bounds.y, word.bounds.x, word.bounds.width, word.bounds.height);
  });
  lines_ = group_lines(words_);
  grid_ = store.grid();
  tiles_ = store.tile_hashes();
  return &lines_;
}

Result<void> ScreenText::read_all(const FrameStore& store, const Rect& area) {
  words_.clear();
  pixels_.reset(store.pixels(), area);
  ASSIGN_OR_RETURN(auto lines, reader_(store.pixels(), area, {}));
  add_words(std::move(lines), area);
  return ok();
}

Result<ScreenText::Part> ScreenText::read_changed(const FrameStore& store) {
  const std::int64_t half = pixels_.area().area() / 2;
  const std::vector<Rect> changed = changed_rects(store);
  if (total_area(changed, std::identity()) > half) return Part::kAll;
  const std::vector<StaleLines> stale = take_stale_lines(changed, pixels_, words_);
  if (total_area(stale, [](const StaleLines& each) { return each.to_read; }) > half) return Part::kAll;
  for (const StaleLines& each : stale) {
    ASSIGN_OR_RETURN(auto lines, reader_(store.pixels(), each.to_read, each.hidden));
    add_words(std::move(lines), each.area);
  }
  return Part::kChanged;
}

std::vector<Rect> ScreenText::changed_rects(const FrameStore& store) {
  std::vector<Rect> changed;
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    if (tiles_[i] == store.tile_hashes()[i]) continue;
    const Rect tile = intersection(grid_.tile(i), pixels_.area());
    if (!tile.empty()) pixels_.update(store.pixels(), tile, changed);
  }
  return changed;
}

// Words outside of `within` belong to other lines, which were not read in full.
void ScreenText::add_words(std::vector<OcrLine> lines, const Rect& within) {
  for (OcrLine& line : lines) {
    for (OcrWord& word : line.words) {
      if (within.contains(word.bounds.center())) words_.push_back(std::move(word));
    }
  }
}

}  // namespace da::observer
