// What the screen reads, kept between looks: only what changed since the last read of the same area is read again,
// because a full frame costs more than a second of CPU. One thread at a time.
#pragma once

#include <functional>
#include <vector>

#include "services/observer/change.h"
#include "services/observer/ocr.h"

namespace da::observer {

class ScreenText {
 public:
  // Reads an area of the frame's pixels; what read() of Ocr is.
  using Reader = std::function<Result<std::vector<OcrLine>>(const PixelView&, const Rect&)>;

  explicit ScreenText(Reader reader) : reader_(std::move(reader)) {}

  // The lines of `area` (pixels of the frame) as the store's frame shows them. Valid until the next call.
  Result<const std::vector<OcrLine>*> lines(const FrameStore& store, const Rect& area);

 private:
  Result<void> read_again(const FrameStore& store, const Rect& changed);

  Reader reader_;
  std::vector<OcrLine> lines_;
  Rect area_;
  FrameSummary read_from_;  // The frame that lines_ were read from; empty where they are not valid.
};

}  // namespace da::observer
