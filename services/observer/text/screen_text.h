// Caches the text of an area of the screen and runs OCR only on its changed parts, because a full frame costs more than
// a second of CPU. One thread at a time.
#pragma once

#include <functional>
#include <vector>

#include "services/observer/frames/change.h"
#include "services/observer/text/ocr.h"

namespace da::observer {

class ScreenText {
 public:
  // Ocr::read(), or a fake.
  using Reader = std::function<Result<std::vector<OcrLine>>(const frames::PixelView&, const Rect&)>;

  explicit ScreenText(Reader reader) : reader_(std::move(reader)) {}

  // The lines of `area` (pixels of the store's frame). Valid until the next call.
  Result<const std::vector<OcrLine>*> lines(const FrameStore& store, const Rect& area);

 private:
  Result<void> read_again(const FrameStore& store, const Rect& changed);

  Reader reader_;
  std::vector<OcrLine> lines_;
  Rect area_;
  FrameSummary read_from_;  // The frame of lines_; empty if they are invalid.
};

}  // namespace da::observer
