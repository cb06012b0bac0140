// Captures frames and sends what changed since the frame that the caller already has: tiles of 64x64 pixels,
// compressed, in chunks of at most 1 MiB of pixels. Remembers one frame; a caller with another one gets a key frame.
// One caller at a time (ActuatorRpc::frames_mutex_).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/frames/tile_compressor.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/privacy/masked_area.h"

namespace da::actuator {

class FrameSource {
 public:
  using Emit = std::function<Result<void>(v1::FrameChunk&)>;

  FrameSource();

  // Blackens masked areas, compares the view with the remembered frame, remembers it, and emits head and tiles. The
  // caller has set cursor, windows, settled and monitors of `head`.
  Result<void> emit(const FrameView& view, const std::vector<MaskedArea>& masked, const std::string& known_frame_id,
                    v1::FrameChunk::Head head, const Emit& emit);

 private:
  // Copies the tile into the remembered frame; true if it differed.
  bool take_tile(const FrameView& view, const std::vector<MaskedArea>& masked, const Rect& tile);
  Result<void> flush(v1::FrameChunk& chunk, const Emit& emit);

  Rect area_;
  std::string frame_id_;
  std::vector<std::uint8_t> pixels_;  // The remembered frame, BGRX, tightly packed.
  std::vector<std::uint8_t> masked_tile_;
  std::vector<std::uint8_t> raw_;  // Rows of the tiles of the open chunk.
  frames::TileCompressor compressor_;
};

}  // namespace da::actuator
