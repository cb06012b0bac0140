#include "services/actuator/frames/frame_source.h"

#include <algorithm>
#include <cstring>

#include "lib/base/id.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/evidence/visual_similarity.h"

namespace da::actuator {
namespace {

constexpr std::size_t kChunkPixelBytes = 1 << 20;

}  // namespace

FrameSource::FrameSource() { raw_.reserve(kChunkPixelBytes); }

void FrameSource::forget() {
  area_ = {};
  frame_id_.clear();
  generation_ = 0;
  masked_ = {};
  std::ranges::fill(pixels_, std::uint8_t{0});
  std::ranges::fill(raw_, std::uint8_t{0});
}

std::optional<std::string> FrameSource::look(const std::string& frame_id, const Rect& area) const {
  const auto hides = [&](const MaskedArea& each) { return !intersection(each.area, area).empty(); };
  const bool shows = intersection(area, area_) == area && !area.empty() && std::ranges::none_of(masked_, hides);
  if (frame_id.empty() || frame_id != frame_id_ || !shows) return std::nullopt;
  std::string look;
  look.reserve(static_cast<std::size_t>(area.area()));
  for (int y = area.y - area_.y; y < area.bottom() - area_.y; ++y) {
    const auto first = (static_cast<std::size_t>(y) * static_cast<std::size_t>(area_.width) +
                        static_cast<std::size_t>(area.x - area_.x)) *
                       frames::kBytesPerPixel;
    for (std::size_t column = 0; column < static_cast<std::size_t>(area.width); ++column)
      look += static_cast<char>(contract::brightness(&pixels_[first + column * frames::kBytesPerPixel]));
  }
  return look;
}

Result<void> FrameSource::emit(const FrameView& view, const std::vector<MaskedArea>& masked, const Changed& changed,
                               const std::string& known_frame_id, v1::FrameChunk::Head head, const Emit& emit) {
  const bool key = frame_id_.empty() || known_frame_id != frame_id_ || view.area != area_;
  if (view.area != area_) {
    area_ = view.area;
    pixels_.assign(static_cast<std::size_t>(area_.area()) * frames::kBytesPerPixel, 0);
  }
  std::vector<Rect> tiles;
  const frames::TileGrid grid{area_.width, area_.height};
  const std::vector<bool> compared = tiles_to_compare(grid, masked, key ? std::nullopt : changed);
  for (std::size_t i = 0; i < grid.count(); ++i) {
    const Rect tile = grid.tile(i);
    const bool differs = compared[i] && take_tile(view, masked, tile);
    if (differs || key) tiles.push_back(tile);
  }
  generation_ = view.generation;
  masked_ = masked;
  if (!tiles.empty() || key) frame_id_ = random_hex(8);

  v1::FrameChunk chunk;
  head.set_frame_id(frame_id_);
  head.set_key_frame(key);
  head.set_changed_tiles(static_cast<std::uint32_t>(tiles.size()));
  *head.mutable_desktop() = contract::to_proto(area_);
  *chunk.mutable_head() = std::move(head);
  raw_.clear();
  for (const Rect& tile : tiles) {
    const std::size_t row_bytes = static_cast<std::size_t>(tile.width) * frames::kBytesPerPixel;
    if (raw_.size() + row_bytes * static_cast<std::size_t>(tile.height) > kChunkPixelBytes) {
      RETURN_IF_ERROR(flush(chunk, emit));
    }
    auto* entry = chunk.add_tiles();
    entry->set_x(static_cast<std::uint32_t>(tile.x));
    entry->set_y(static_cast<std::uint32_t>(tile.y));
    entry->set_width(static_cast<std::uint32_t>(tile.width));
    entry->set_height(static_cast<std::uint32_t>(tile.height));
    const std::size_t stride = static_cast<std::size_t>(area_.width) * frames::kBytesPerPixel;
    const std::uint8_t* from = pixels_.data() + static_cast<std::size_t>(tile.y) * stride +
                               static_cast<std::size_t>(tile.x) * frames::kBytesPerPixel;
    for (int row = 0; row < tile.height; ++row, from += stride) raw_.insert(raw_.end(), from, from + row_bytes);
  }
  chunk.set_last(true);
  return flush(chunk, emit);
}

v1::FrameChunk FrameSource::emit_unchanged(v1::FrameChunk::Head head) const {
  v1::FrameChunk chunk;
  head.set_frame_id(frame_id_);
  *head.mutable_desktop() = contract::to_proto(area_);
  *chunk.mutable_head() = std::move(head);
  chunk.set_last(true);
  return chunk;
}

// A tile under a mask of now or before looks different even where the screen has not changed.
std::vector<bool> FrameSource::tiles_to_compare(const frames::TileGrid& grid, const std::vector<MaskedArea>& masked,
                                                const Changed& changed) const {
  std::vector<bool> compared(grid.count(), !changed);
  if (!changed) return compared;
  const auto mark = [&](const Rect& area) {
    const Rect part =
        intersection({area.x - area_.x, area.y - area_.y, area.width, area.height}, {0, 0, area_.width, area_.height});
    if (part.empty()) return;
    for (int row = part.y / frames::kTileSize; row <= (part.bottom() - 1) / frames::kTileSize; ++row) {
      for (int column = part.x / frames::kTileSize; column <= (part.right() - 1) / frames::kTileSize; ++column) {
        compared[static_cast<std::size_t>(row * grid.columns() + column)] = true;
      }
    }
  };
  for (const Rect& area : *changed) mark(area);
  for (const auto* masks : {&masked, &masked_}) {
    for (const MaskedArea& mask : *masks) mark(mask.area);
  }
  return compared;
}

bool FrameSource::take_tile(const FrameView& view, const std::vector<MaskedArea>& masked, const Rect& tile) {
  const std::size_t row_bytes = static_cast<std::size_t>(tile.width) * frames::kBytesPerPixel;
  const std::size_t stride = static_cast<std::size_t>(area_.width) * frames::kBytesPerPixel;
  const std::size_t left = static_cast<std::size_t>(tile.x) * frames::kBytesPerPixel;
  const std::uint8_t* source = view.data + static_cast<std::size_t>(tile.y) * view.stride + left;
  std::size_t source_stride = view.stride;
  const Rect place{view.area.x + tile.x, view.area.y + tile.y, tile.width, tile.height};
  if (std::ranges::any_of(masked, [&](const MaskedArea& mask) { return !intersection(mask.area, place).empty(); })) {
    masked_tile_.clear();
    for (int row = 0; row < tile.height; ++row, source += source_stride) {
      masked_tile_.insert(masked_tile_.end(), source, source + row_bytes);
    }
    black_out(masked_tile_.data(), row_bytes, place, masked);
    source = masked_tile_.data();
    source_stride = row_bytes;
  }
  bool changed = false;
  for (int row = 0; row < tile.height; ++row) {
    const auto y = static_cast<std::size_t>(tile.y + row);
    const std::uint8_t* from = source + static_cast<std::size_t>(row) * source_stride;
    std::uint8_t* to = pixels_.data() + y * stride + left;
    if (!changed && std::memcmp(from, to, row_bytes) == 0) continue;
    changed = true;
    std::memcpy(to, from, row_bytes);
  }
  return changed;
}

Result<void> FrameSource::flush(v1::FrameChunk& chunk, const Emit& emit) {
  if (!raw_.empty()) {
    ASSIGN_OR_RETURN(const std::string_view compressed, compressor_.compress(raw_));
    chunk.set_pixels(compressed.data(), compressed.size());
  }
  RETURN_IF_ERROR(emit(chunk));
  chunk.Clear();
  raw_.clear();
  return ok();
}

}  // namespace da::actuator
