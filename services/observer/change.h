// What differs between two observations, in whole tiles. Pure; any thread.
#pragma once

#include <cstdint>

#include "services/observer/frame_store.h"

namespace da::observer {

// What a frame showed, small enough to keep: about 16 bytes for each 64x64 pixels.
struct FrameSummary {
  TileGrid grid;
  TileHashes tiles;
};

struct Change {
  std::uint32_t tiles = 0;
  Rect area;  // Pixels of the frame; the smallest rectangle around the changed tiles, empty where there are none.
};

// Everything has changed where the sizes differ. Only tiles that touch `within` (pixels of the frame) count.
Change compare(const FrameSummary& before, const TileGrid& grid, const TileHashes& tiles, const Rect& within);
Change compare(const FrameSummary& before, const TileGrid& grid, const TileHashes& tiles);

}  // namespace da::observer
