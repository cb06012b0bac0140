#include "services/observer/text/screen_text.h"

namespace da::observer {
namespace {

constexpr int kLineMargin = 4;  // Pixels around a changed area, so that letters are not cut.

}  // namespace

Result<const std::vector<OcrLine>*> ScreenText::lines(const FrameStore& store, const Rect& wanted) {
  const Rect area = intersection(wanted, {0, 0, store.grid().width, store.grid().height});
  const Change change = compare(read_from_, store.grid(), store.tile_hashes(), area);
  const Rect changed = intersection(change.area, area);
  const bool usable = area == area_ && read_from_.grid == store.grid();
  if (usable && changed.empty()) return &lines_;
  const bool small = usable && changed.area() * 2 < area.area();
  if (!small) lines_.clear();
  area_ = area;
  read_from_ = {};  // If OCR fails, the next call reads everything.
  RETURN_IF_ERROR(read_again(store, small ? changed : area));
  read_from_ = {store.grid(), store.tile_hashes()};
  return &lines_;
}

// Lines that overlap the changed area are read again in full.
Result<void> ScreenText::read_again(const FrameStore& store, const Rect& changed) {
  Rect stale = changed;
  for (bool grown = true; grown;) {
    const auto before = stale;
    for (const OcrLine& line : lines_) {
      if (!intersection(line.bounds, stale).empty()) stale = bounding(stale, line.bounds);
    }
    grown = !(stale == before);
  }
  std::erase_if(lines_, [&](const OcrLine& line) { return !intersection(line.bounds, stale).empty(); });
  const Rect with_margin{stale.x - kLineMargin, stale.y - kLineMargin, stale.width + 2 * kLineMargin,
                         stale.height + 2 * kLineMargin};
  ASSIGN_OR_RETURN(auto lines, reader_(store.pixels(), intersection(with_margin, area_)));
  for (OcrLine& line : lines) lines_.push_back(std::move(line));
  return ok();
}

}  // namespace da::observer
