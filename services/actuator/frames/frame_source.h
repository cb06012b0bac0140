// Captures frames and sends what changed since the frame that the caller already has: tiles of 64x64 pixels,
// compressed, in chunks of at most 1 MiB of pixels. Remembers one frame; a caller with another one gets a key frame.
// One caller at a time (ActuatorRpc::frames_mutex_).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/frames/tile_compressor.h"
#include "lib/frames/tile_grid.h"
#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/privacy/masked_area.h"

namespace da::actuator {

class FrameSource {
 public:
  using Emit = std::function<Result<void>(v1::FrameChunk&)>;

  FrameSource();

  // The areas outside of which the next view equals the remembered frame; nullopt: it may differ everywhere.
  using Changed = std::optional<std::vector<Rect>>;

  // Id, area and masked areas of the remembered frame; empty if no frame is remembered.
  const std::string& frame_id() const { return frame_id_; }
  const Rect& area() const { return area_; }
  const std::vector<MaskedArea>& masked() const { return masked_; }

  // FrameView.generation of the remembered frame: ask Screen::changed_since() for it after the next capture.
  std::uint64_t generation() const { return generation_; }

  // The brightness of the area's pixels in this frame (lib/contract/evidence/visual_similarity.h). nullopt: it is not
  // the remembered frame, or does not show all of the area.
  std::optional<std::string> look(const std::string& frame_id, const Rect& area) const;

  // Forgets the frame: the next one is a key frame.
  void forget();

  // Blackens masked areas, compares the view with the remembered frame where it may have changed, remembers it, and
  // emits head and tiles. The caller has set cursor, windows, settled and monitors of `head`.
  Result<void> emit(const FrameView& view, const std::vector<MaskedArea>& masked, const Changed& changed,
                    const std::string& known_frame_id, v1::FrameChunk::Head head, const Emit& emit);

  // The remembered frame once more, for a caller that has it: `head` without tiles. Only if the screen still shows it.
  v1::FrameChunk emit_unchanged(v1::FrameChunk::Head head) const;

 private:
  std::vector<bool> tiles_to_compare(const frames::TileGrid& grid, const std::vector<MaskedArea>& masked,
                                     const Changed& changed) const;
  // Copies the tile into the remembered frame; true if it differed.
  bool take_tile(const FrameView& view, const std::vector<MaskedArea>& masked, const Rect& tile);
  Result<void> flush(v1::FrameChunk& chunk, const Emit& emit);

  Rect area_;
  std::string frame_id_;
  std::uint64_t generation_ = 0;
  std::vector<MaskedArea> masked_;    // Areas that are masked in the remembered frame.
  std::vector<std::uint8_t> pixels_;  // The remembered frame, BGRX, tightly packed.
  std::vector<std::uint8_t> masked_tile_;
  std::vector<std::uint8_t> raw_;  // Rows of the tiles of the open chunk.
  frames::TileCompressor compressor_;
};

}  // namespace da::actuator
