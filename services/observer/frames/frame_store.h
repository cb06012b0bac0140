// Rebuilds the actuator's frame from the changed tiles that it streams.
//
// Owns the observer's only pixel buffer, allocated once for a desktop size. take() needs every FrameChunk of a stream
// in order. After an error or abandon(), known_frame_id() is empty, so that the next request brings a key frame. One
// thread at a time. Errors: kDataLoss, with the peer's mistake.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/frames/tile_decoder.h"

namespace da::observer {

// BLAKE2b-128 of each tile's pixels, as raw bytes, in the order of the grid.
using TileHashes = std::vector<std::string>;

// kDataLoss, for a frame that breaks the protocol.
Error refused_frame(std::string why);

class FrameStore {
 public:
  enum class Progress { kMore, kComplete };

  Result<Progress> take(const v1::FrameChunk& chunk);
  // Drops the frame. Call it when the stream ends early.
  void abandon();

  // The id for the next FramesRequest; empty if a key frame is needed.
  const std::string& known_frame_id() const { return frame_id_; }

  // Valid from a complete frame until the next take().
  frames::PixelView pixels() const;
  const frames::TileGrid& grid() const { return grid_; }
  const TileHashes& tile_hashes() const { return hashes_; }
  const v1::FrameChunk::Head& head() const { return head_; }
  const Rect& desktop() const { return desktop_; }
  // BLAKE2b-128 of size and tile hashes, hexadecimal.
  const std::string& frame_hash() const { return frame_hash_; }

 private:
  Result<Progress> take_checked(const v1::FrameChunk& chunk);
  Result<void> begin(const v1::FrameChunk::Head& head);
  Result<void> put(const frames::TileDecoder::Tile& tile);
  Result<void> finish();
  void hash_frame();

  frames::TileDecoder decoder_;
  frames::TileGrid grid_;
  Rect desktop_;
  std::vector<std::uint8_t> pixels_;
  TileHashes hashes_;
  std::string frame_id_;
  std::string frame_hash_;
  v1::FrameChunk::Head head_;
  bool in_frame_ = false;       // True between a head and its last chunk.
  std::vector<bool> received_;  // Indexed by tile, for the current frame.
  std::size_t received_count_ = 0;
};

}  // namespace da::observer
