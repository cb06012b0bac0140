// A region at half, a quarter, ... of its size: each pixel is the mean of 2x2 pixels of the level before. Levels are
// made when they are first used. Owns their pixels; the region's own must outlive it. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/frames/tile_grid.h"

namespace da::observer {

class ImagePyramid {
 public:
  explicit ImagePyramid(const frames::PixelView& region) : region_(region) {}

  // 1/2^halvings of the size. An odd last row or column is left out. May be empty.
  frames::PixelView level(int halvings);

 private:
  struct Level {
    std::vector<std::uint8_t> pixels;
    int width = 0;
    int height = 0;
  };

  const frames::PixelView region_;
  std::vector<Level> levels_;  // The first one has half the size.
};

}  // namespace da::observer
