// Caches the text of an area of the screen and runs OCR only on the lines of which pixels changed, because a full frame
// costs more than a second of CPU. One thread at a time.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "services/observer/frames/frame_store.h"
#include "services/observer/text/ocr.h"
#include "services/observer/text/read_pixels.h"

namespace da::observer {

class ScreenText {
 public:
  // Ocr::read(), or a fake.
  using Reader = std::function<Result<std::vector<OcrLine>>(const frames::PixelView& frame, const Rect& area,
                                                            std::span<const Rect> hidden)>;

  explicit ScreenText(Reader reader) : reader_(std::move(reader)) {}

  // The lines of `area` (pixels of the store's frame). Valid until the next call.
  Result<const std::vector<OcrLine>*> lines(const FrameStore& store, const Rect& area);

 private:
  enum class Part { kAll, kChanged };

  Result<void> read_all(const FrameStore& store, const Rect& area);
  // kAll: so much changed that all must be read again.
  Result<Part> read_changed(const FrameStore& store);
  std::vector<Rect> changed_rects(const FrameStore& store);
  void add_words(std::vector<OcrLine> lines, const Rect& within);

  Reader reader_;
  std::vector<OcrWord> words_;
  std::vector<OcrLine> lines_;  // Lines that words_ form.
  ReadPixels pixels_;
  frames::TileGrid grid_;
  TileHashes tiles_;  // Tiles of the frame that words_ were read from; empty if they are invalid.
};

}  // namespace da::observer
