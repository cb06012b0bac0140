// Unpacks the pixels of one FrameChunk: checks every number of the peer before a byte is believed.
//
// A frame is divided into tiles of kTileSize pixels from its top left corner, smaller at the right and lower edges.
// One decoder belongs to one FrameStore and is used by one thread at a time. Errors: kDataLoss for what no honest
// actuator sends (tiles off the grid, too many pixels, broken or oversized zstd).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"

struct ZSTD_DCtx_s;

namespace da::observer {

inline constexpr int kTileSize = 64;
inline constexpr std::size_t kBytesPerPixel = 4;

// The tiles of a frame of this size, row by row.
struct TileGrid {
  int width = 0;
  int height = 0;

  int columns() const { return (width + kTileSize - 1) / kTileSize; }
  int rows() const { return (height + kTileSize - 1) / kTileSize; }
  std::size_t count() const { return static_cast<std::size_t>(columns()) * static_cast<std::size_t>(rows()); }
  // Pixels of the frame that tile `index` covers.
  Rect tile(std::size_t index) const;
  friend bool operator==(const TileGrid&, const TileGrid&) = default;
};

class TileDecoder {
 public:
  TileDecoder();
  ~TileDecoder();

  struct Tile {
    std::size_t index;                     // In the grid.
    Rect area;                             // Pixels of the frame.
    std::span<const std::uint8_t> pixels;  // Its rows, without gaps; byte 3 of each pixel is 0.
  };

  // The tiles of a chunk; their pixels stay valid until the next call.
  Result<std::vector<Tile>> decode(const TileGrid& grid, const v1::FrameChunk& chunk);

 private:
  Result<void> decompress(std::string_view compressed, std::size_t expected);

  struct FreeContext {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, FreeContext> context_;
  std::vector<std::uint8_t> raw_;  // Grows to the largest chunk seen, which is bounded.
};

}  // namespace da::observer
