// The actuator's frame, rebuilt from the changed tiles that it streams.
//
// Owns the one pixel buffer of the observer: allocated for a desktop size and kept. Feed it every FrameChunk of a
// stream in order. After an error, or abandon(), the frame is not trusted: known_frame_id() is empty, so that the next
// request brings a key frame. One thread at a time. Errors: kDataLoss, with what the peer sent wrong.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"
#include "services/observer/tile_decoder.h"

namespace da::observer {

// BLAKE2b-128 of each tile's pixels, raw, in the order of the grid.
using TileHashes = std::vector<std::string>;

// Pixels of a frame or of a part of it. BGRX, 4 bytes a pixel, rows from the top.
struct PixelView {
  const std::uint8_t* data = nullptr;
  int width = 0;
  int height = 0;
  std::size_t stride = 0;  // Bytes from one row to the next.

  // The part of it that `area` covers; `area` must lie inside.
  PixelView part(const Rect& area) const;
};

class FrameStore {
 public:
  enum class Progress { kMore, kComplete };

  Result<Progress> take(const v1::FrameChunk& chunk);
  // The stream ended early: what was half taken is dropped.
  void abandon();

  // What to ask the actuator with; empty where a key frame is needed.
  const std::string& known_frame_id() const { return frame_id_; }

  // Valid once a frame is complete, until the next take().
  PixelView pixels() const;
  const TileGrid& grid() const { return grid_; }
  const TileHashes& tile_hashes() const { return hashes_; }
  const v1::FrameChunk::Head& head() const { return head_; }
  const Rect& desktop() const { return desktop_; }
  // BLAKE2b-128 of size and tile hashes, hexadecimal.
  const std::string& frame_hash() const { return frame_hash_; }

 private:
  Result<Progress> take_checked(const v1::FrameChunk& chunk);
  Result<void> begin(const v1::FrameChunk::Head& head);
  Result<void> put(const TileDecoder::Tile& tile);
  Result<void> finish();
  void hash_frame();

  TileDecoder decoder_;
  TileGrid grid_;
  Rect desktop_;
  std::vector<std::uint8_t> pixels_;
  TileHashes hashes_;
  std::string frame_id_;
  std::string frame_hash_;
  v1::FrameChunk::Head head_;
  bool in_frame_ = false;       // Between a head and its last chunk.
  std::vector<bool> received_;  // Of the frame under way, by tile.
  std::size_t received_count_ = 0;
};

}  // namespace da::observer
