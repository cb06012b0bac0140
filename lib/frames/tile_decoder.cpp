#include "lib/frames/tile_decoder.h"

#include <zstd.h>

#include <cstring>

namespace da::frames {
namespace {

// An honest chunk has about 1 MB of raw pixels.
constexpr std::size_t kMaxChunkBytes = std::size_t{4} << 20;

Error refused(std::string why) { return {Code::kDataLoss, "frame from the actuator refused: " + std::move(why)}; }

std::string describe(const v1::FrameChunk::Tile& tile) {
  return std::to_string(tile.width()) + "x" + std::to_string(tile.height()) + " at " + std::to_string(tile.x()) + "," +
         std::to_string(tile.y());
}

Result<std::size_t> index_of(const TileGrid& grid, const v1::FrameChunk::Tile& tile) {
  if (tile.x() >= static_cast<std::uint32_t>(grid.width) || tile.y() >= static_cast<std::uint32_t>(grid.height)) {
    return refused("tile " + describe(tile) + " lies outside the frame of " + std::to_string(grid.width) + "x" +
                   std::to_string(grid.height));
  }
  const std::size_t index = static_cast<std::size_t>(tile.y()) / kTileSize * static_cast<std::size_t>(grid.columns()) +
                            static_cast<std::size_t>(tile.x()) / kTileSize;
  const Rect expected = grid.tile(index);
  const bool same = static_cast<int>(tile.x()) == expected.x && static_cast<int>(tile.y()) == expected.y &&
                    tile.width() == static_cast<std::uint32_t>(expected.width) &&
                    tile.height() == static_cast<std::uint32_t>(expected.height);
  if (!same) return refused("tile " + describe(tile) + " is not a tile of the 64 pixel grid");
  return index;
}

// The fourth byte of a pixel is undefined and differs between X servers; hashes must not depend on it.
void clear_padding(std::span<std::uint8_t> pixels) {
  for (std::size_t at = 0; at + kBytesPerPixel <= pixels.size(); at += kBytesPerPixel) pixels[at + 3] = 0;
}

}  // namespace

void TileDecoder::FreeContext::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

TileDecoder::TileDecoder() : context_(ZSTD_createDCtx()) {}
TileDecoder::~TileDecoder() = default;

Result<std::vector<TileDecoder::Tile>> TileDecoder::decode(const TileGrid& grid, const v1::FrameChunk& chunk) {
  std::vector<Tile> tiles;
  std::size_t bytes = 0;
  for (const auto& tile : chunk.tiles()) {
    ASSIGN_OR_RETURN(const std::size_t index, index_of(grid, tile));
    tiles.push_back({index, grid.tile(index), {}});
    bytes += static_cast<std::size_t>(tiles.back().area.area()) * kBytesPerPixel;
    if (bytes > kMaxChunkBytes) return refused("more than 4 MB of pixels in one message");
  }
  RETURN_IF_ERROR(decompress(chunk.pixels(), bytes));
  std::size_t at = 0;
  for (Tile& tile : tiles) {
    const std::size_t size = static_cast<std::size_t>(tile.area.area()) * kBytesPerPixel;
    tile.pixels = std::span(raw_).subspan(at, size);
    at += size;
  }
  return tiles;
}

Result<void> TileDecoder::decompress(std::string_view compressed, std::size_t expected) {
  if (expected == 0) {
    if (!compressed.empty()) return refused("pixels without tiles");
    return ok();
  }
  if (raw_.size() < expected) raw_.resize(expected);
  // The capacity is the size that the tiles need, so a zstd bomb fails with "destination too small".
  const std::size_t size =
      ZSTD_decompressDCtx(context_.get(), raw_.data(), expected, compressed.data(), compressed.size());
  if (ZSTD_isError(size) != 0) return refused(std::string("its pixels do not unpack: ") + ZSTD_getErrorName(size));
  if (size != expected) {
    return refused("its pixels are " + std::to_string(size) + " bytes, its tiles need " + std::to_string(expected));
  }
  clear_padding(std::span(raw_).first(expected));
  return ok();
}

}  // namespace da::frames
