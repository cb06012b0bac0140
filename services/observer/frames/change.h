// Compares two frames tile by tile. Pure; any thread.
#pragma once

#include <cstdint>

#include "services/observer/frames/frame_store.h"

namespace da::observer {

// Enough of a frame to compare it with a later one: about 16 bytes for each 64x64 pixels.
struct FrameSummary {
  frames::TileGrid grid;
  TileHashes tiles;
};

struct Change {
  std::uint32_t tiles = 0;
  Rect area;  // Pixels of the frame: the bounding rectangle of the changed tiles; empty if there are none.
};

// Only tiles that touch `within` (pixels of the frame) count. If the sizes differ, all of them count as changed.
Change compare(const FrameSummary& before, const frames::TileGrid& grid, const TileHashes& tiles, const Rect& within);
Change compare(const FrameSummary& before, const frames::TileGrid& grid, const TileHashes& tiles);

}  // namespace da::observer
