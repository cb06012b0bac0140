// Frames from a hostile actuator. Bytes 0 to 3 are the frame's size; if byte 4 is odd, the pixels are compressed here,
// because mutations hardly ever are valid zstd; the rest is a FrameChunk.
#include <zstd.h>

#include <cstdint>
#include <string>

#include "lib/frames/tile_decoder.h"
#include "tests/fuzz/require.h"

namespace {

constexpr std::size_t kHeadBytes = 5;
constexpr std::size_t kMostPixelBytes = std::size_t{4} << 20;

// Compresses the chunk's bytes, repeated to fill its tiles if these are small enough.
void pack_pixels(da::v1::FrameChunk& chunk) {
  std::uint64_t wanted = 0;
  for (const auto& tile : chunk.tiles()) wanted += std::uint64_t{tile.width()} * tile.height() * 4;
  std::string raw = chunk.pixels();
  if (!raw.empty() && wanted <= kMostPixelBytes) {
    while (raw.size() < wanted) raw += raw;
    raw.resize(wanted);
  }
  std::string packed(ZSTD_compressBound(raw.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 1));
  chunk.set_pixels(packed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using da::fuzz::require;
  if (size < kHeadBytes) return 0;
  const da::frames::TileGrid grid{1 + (data[0] << 8 | data[1]), 1 + (data[2] << 8 | data[3])};
  da::v1::FrameChunk chunk;
  if (!chunk.ParseFromArray(data + kHeadBytes, static_cast<int>(size - kHeadBytes))) return 0;
  if ((data[4] & 1) != 0) pack_pixels(chunk);
  static da::frames::TileDecoder decoder;  // One for all inputs, as in the service: a bad chunk must not affect others.
  const auto tiles = decoder.decode(grid, chunk);
  if (!tiles) return 0;
  require(tiles->size() == static_cast<std::size_t>(chunk.tiles_size()), "every tile of the chunk is there");
  for (const auto& tile : *tiles) {
    require(tile.index < grid.count(), "a tile is one of the grid");
    require(tile.area.x >= 0 && tile.area.y >= 0 && tile.area.x + tile.area.width <= grid.width &&
                tile.area.y + tile.area.height <= grid.height,
            "a tile lies inside the frame");
    require(tile.pixels.size() == static_cast<std::size_t>(tile.area.area()) * da::frames::kBytesPerPixel,
            "a tile has all its pixels");
    unsigned sum = 0;
    for (const std::uint8_t byte : tile.pixels) sum += byte;
    static volatile unsigned sink;
    sink = sum;
  }
  return 0;
}
