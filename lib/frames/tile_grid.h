// A frame's division into tiles, from its top left corner; the last ones may be smaller. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/base/geometry.h"

namespace da::frames {

inline constexpr int kTileSize = 64;              // Pixels, width and height.
inline constexpr std::size_t kBytesPerPixel = 4;  // BGRX.

// The tiles of a frame of this size, row by row.
struct TileGrid {
  int width = 0;
  int height = 0;

  int columns() const { return (width + kTileSize - 1) / kTileSize; }
  int rows() const { return (height + kTileSize - 1) / kTileSize; }
  std::size_t count() const { return static_cast<std::size_t>(columns()) * static_cast<std::size_t>(rows()); }
  // The pixels of the frame in tile `index`.
  Rect tile(std::size_t index) const;
  friend bool operator==(const TileGrid&, const TileGrid&) = default;
};

// View of a frame's pixels or a part of them: BGRX, rows from the top. Does not own them.
struct PixelView {
  const std::uint8_t* data = nullptr;
  int width = 0;
  int height = 0;
  std::size_t stride = 0;  // Bytes from one row to the next.

  // `area` must lie inside.
  PixelView part(const Rect& area) const;
};

}  // namespace da::frames
