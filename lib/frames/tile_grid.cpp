#include "lib/frames/tile_grid.h"

#include <algorithm>

namespace da::frames {

Rect TileGrid::tile(std::size_t index) const {
  const int x = static_cast<int>(index % static_cast<std::size_t>(columns())) * kTileSize;
  const int y = static_cast<int>(index / static_cast<std::size_t>(columns())) * kTileSize;
  return {x, y, std::min(kTileSize, width - x), std::min(kTileSize, height - y)};
}

PixelView PixelView::part(const Rect& area) const {
  return {data + static_cast<std::size_t>(area.y) * stride + static_cast<std::size_t>(area.x) * kBytesPerPixel,
          area.width, area.height, stride};
}

}  // namespace da::frames
