#include "services/observer/analyse/content_digests.h"

#include <algorithm>
#include <initializer_list>

#include "lib/base/id.h"

namespace da::observer {
namespace {

constexpr std::size_t kMostKnown = 512;

std::string tiles_of(const FrameStore& store, const Rect& part) {
  const frames::TileGrid& grid = store.grid();
  const int columns = grid.columns();
  std::string tiles;
  for (int row = part.y / frames::kTileSize; row <= (part.bottom() - 1) / frames::kTileSize; ++row) {
    for (int column = part.x / frames::kTileSize; column <= (part.right() - 1) / frames::kTileSize; ++column) {
      tiles += store.tile_hashes()[static_cast<std::size_t>(row * columns + column)];
    }
  }
  return tiles;
}

std::string digest_of(const frames::PixelView& pixels, Point offset) {
  std::string bytes;
  const auto row_bytes = static_cast<std::size_t>(pixels.width) * frames::kBytesPerPixel;
  bytes.reserve(row_bytes * static_cast<std::size_t>(pixels.height) + 64);
  for (const int number : {offset.x, offset.y, pixels.width, pixels.height}) bytes += std::to_string(number) + " ";
  for (int y = 0; y < pixels.height; ++y) {
    bytes.append(reinterpret_cast<const char*>(pixels.data) + static_cast<std::size_t>(y) * pixels.stride, row_bytes);
  }
  return to_hex(blake2b(bytes, 16));
}

}  // namespace

std::string ContentDigests::of(const FrameStore& store, const Rect& part, Point offset) {
  std::string tiles = tiles_of(store, part);
  const auto found =
      std::ranges::find_if(known_, [&](const Known& known) { return known.part == part && known.offset == offset; });
  if (found == known_.end()) {
    known_.push_front({part, offset, {}, {}});
    if (known_.size() > kMostKnown) known_.pop_back();
  } else {
    known_.splice(known_.begin(), known_, found);
  }
  Known& known = known_.front();
  if (known.tiles != tiles) {
    known.digest = digest_of(store.pixels().part(part), offset);
    known.tiles = std::move(tiles);
  }
  return known.digest;
}

}  // namespace da::observer
