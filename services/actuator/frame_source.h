// Captures frames and says what changed since the frame that the caller holds: tiles of 64x64 pixels, compressed, in
// chunks of at most 1 MiB of pixels. Remembers one frame; a caller that holds another one gets a key frame.
// One caller at a time (frames_mutex of the rpc layer).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/masked_area.h"

struct ZSTD_CCtx_s;

namespace da::actuator {

inline constexpr int kTileSize = 64;

class FrameSource {
 public:
  using Emit = std::function<Result<void>(v1::FrameChunk&)>;

  FrameSource();
  ~FrameSource();
  FrameSource(const FrameSource&) = delete;
  FrameSource& operator=(const FrameSource&) = delete;

  // Compares the view, black where it is masked, with the remembered frame, remembers it, and emits head and tiles.
  // `head` carries what the caller has filled in already (cursor, windows, settled, monitors).
  Result<void> emit(const FrameView& view, const std::vector<MaskedArea>& masked, const std::string& known_frame_id,
                    v1::FrameChunk::Head head, const Emit& emit);

 private:
  // Copies the tile into the remembered frame; true where it differed.
  bool take_tile(const FrameView& view, const std::vector<MaskedArea>& masked, const Rect& tile);
  Result<void> flush(v1::FrameChunk& chunk, const Emit& emit);

  Rect area_;
  std::string frame_id_;
  std::vector<std::uint8_t> pixels_;  // The remembered frame, BGRX, tightly packed.
  std::vector<std::uint8_t> masked_tile_;
  std::vector<std::uint8_t> raw_;  // Rows of the tiles of the open chunk.
  std::string compressed_;
  ZSTD_CCtx_s* compressor_;
};

}  // namespace da::actuator
