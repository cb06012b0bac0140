// Decompresses the pixels of one FrameChunk. Checks every number of the peer before using it.
//
// A frame is divided into tiles (tile_grid.h). One decoder belongs to one FrameStore; one thread at a time. kDataLoss:
// input that no honest actuator sends (tiles off the grid, too many pixels, broken or oversized zstd).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/frames/tile_grid.h"

struct ZSTD_DCtx_s;

namespace da::frames {

class TileDecoder {
 public:
  TileDecoder();
  ~TileDecoder();

  struct Tile {
    std::size_t index;                     // Index of the tile in the grid.
    Rect area;                             // Pixels of the frame.
    std::span<const std::uint8_t> pixels;  // The rows of `area` without gaps; byte 3 of each pixel is 0.
  };

  // The tiles of a chunk. Their pixels are valid until the next call.
  Result<std::vector<Tile>> decode(const TileGrid& grid, const v1::FrameChunk& chunk);

 private:
  Result<void> decompress(std::string_view compressed, std::size_t expected);

  struct FreeContext {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, FreeContext> context_;
  std::vector<std::uint8_t> raw_;  // Grows to the largest chunk so far, at most kMaxChunkBytes.
};

}  // namespace da::frames
