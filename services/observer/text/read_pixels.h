// The grey pixels of an area of the screen as they were when its text was read. Finds, to the pixel, what differs on a
// later frame: OCR sees grey values only. Owns one byte for each pixel. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/base/geometry.h"
#include "lib/frames/tile_grid.h"

namespace da::observer {

class ReadPixels {
 public:
  // Takes over the pixels of `area`, in pixels of the frame. It must lie inside of the frame.
  void reset(const frames::PixelView& frame, const Rect& area);

  // Takes over the pixels of `tile`, which is a part of the area, and adds the rectangles that contain all differences:
  // one for each run of rows that differ.
  void update(const frames::PixelView& frame, const Rect& tile, std::vector<Rect>& changed);

  const Rect& area() const { return area_; }

  // Whether neighbours differ along a row or a column, so that there may be a part of a letter. In pixels of the frame.
  bool has_ink_in_row(int y, int left, int right) const;
  bool has_ink_in_column(int x, int top, int bottom) const;

 private:
  const std::uint8_t* at(int x, int y) const;

  Rect area_;
  std::vector<std::uint8_t> grey_;
  std::vector<std::uint8_t> tile_;  // Used by update(); kept to reuse its memory.
};

}  // namespace da::observer
