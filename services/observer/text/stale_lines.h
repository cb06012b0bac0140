// Which parts of the screen must be read again after some of its pixels changed: whole lines of text. Pure; any thread.
#pragma once

#include <vector>

#include "services/observer/text/ocr.h"
#include "services/observer/text/read_pixels.h"

namespace da::observer {

struct StaleLines {
  Rect area;                 // Pixels of the frame: the changed pixels and the lines of text that they touch.
  Rect to_read;              // With a margin around the area, so that letters are not cut.
  std::vector<Rect> hidden;  // Text in the margin that is known and belongs to other lines.
};

// The areas do not overlap. Removes the words in them. `changed` are the rectangles in which `pixels` changed.
std::vector<StaleLines> take_stale_lines(const std::vector<Rect>& changed, const ReadPixels& pixels,
                                         std::vector<OcrWord>& words);

}  // namespace da::observer
