#include "services/observer/frames/change.h"

namespace da::observer {

Change compare(const FrameSummary& before, const frames::TileGrid& grid, const TileHashes& tiles, const Rect& within) {
  const bool comparable = before.grid == grid && before.tiles.size() == tiles.size();
  Change change;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const Rect area = grid.tile(i);
    if ((comparable && before.tiles[i] == tiles[i]) || intersection(area, within).empty()) continue;
    ++change.tiles;
    change.area = bounding(change.area, area);
  }
  return change;
}

Change compare(const FrameSummary& before, const frames::TileGrid& grid, const TileHashes& tiles) {
  return compare(before, grid, tiles, {0, 0, grid.width, grid.height});
}

}  // namespace da::observer
