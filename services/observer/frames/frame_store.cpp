#include "services/observer/frames/frame_store.h"

#include <algorithm>
#include <cstring>

#include "lib/base/id.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

constexpr std::uint32_t kMaxSide = 16384;
// Four 4K screens; 128 MB of pixels.
constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 25;
constexpr std::size_t kHashBytes = 16;
constexpr std::size_t kMaxIdBytes = 256;
constexpr int kMaxWindows = 4096;

}  // namespace

Error refused_frame(std::string why) { return {Code::kDataLoss, "frame from the actuator refused: " + std::move(why)}; }

frames::PixelView FrameStore::pixels() const {
  return {pixels_.data(), grid_.width, grid_.height, static_cast<std::size_t>(grid_.width) * frames::kBytesPerPixel};
}

void FrameStore::abandon() {
  frame_id_.clear();
  in_frame_ = false;
}

Result<FrameStore::Progress> FrameStore::take(const v1::FrameChunk& chunk) {
  auto progress = take_checked(chunk);
  if (!progress) abandon();
  return progress;
}

Result<FrameStore::Progress> FrameStore::take_checked(const v1::FrameChunk& chunk) {
  if (chunk.has_head() == in_frame_) {
    return refused_frame(in_frame_ ? "a new frame began before the last one ended" : "it does not begin with its head");
  }
  if (chunk.has_head()) RETURN_IF_ERROR(begin(chunk.head()));
  if (chunk.tiles().empty() && !chunk.has_head() && !chunk.last()) return refused_frame("an empty message");
  ASSIGN_OR_RETURN(const auto tiles, decoder_.decode(grid_, chunk));
  for (const auto& tile : tiles) RETURN_IF_ERROR(put(tile));
  if (!chunk.last()) return Progress::kMore;
  RETURN_IF_ERROR(finish());
  return Progress::kComplete;
}

Result<void> FrameStore::begin(const v1::FrameChunk::Head& head) {
  const auto width = head.desktop().width();
  const auto height = head.desktop().height();
  if (width == 0 || height == 0 || width > kMaxSide || height > kMaxSide ||
      std::uint64_t{width} * height > kMaxPixels) {
    return refused_frame("a desktop of " + std::to_string(width) + "x" + std::to_string(height) + " pixels");
  }
  if (head.frame_id().empty() || head.frame_id().size() > kMaxIdBytes)
    return refused_frame("its id is empty or too long");
  if (head.windows_size() > kMaxWindows) return refused_frame(std::to_string(head.windows_size()) + " windows");
  if (head.click_areas_size() > kMaxWindows) {
    return refused_frame(std::to_string(head.click_areas_size()) + " click areas");
  }
  const frames::TileGrid grid{static_cast<int>(width), static_cast<int>(height)};
  if (!head.key_frame() && (frame_id_.empty() || grid != grid_)) {
    return refused_frame("it updates a frame that the observer does not have");
  }
  if (grid != grid_) {
    grid_ = grid;
    pixels_.assign(static_cast<std::size_t>(width) * height * frames::kBytesPerPixel, 0);
    pixels_.shrink_to_fit();
    hashes_.assign(grid.count(), std::string(kHashBytes, '\0'));
  }
  frame_id_.clear();  // Until the last tile arrives, the pixels are a mix of both frames.
  head_ = head;
  desktop_ = rect_from_wire(head.desktop());
  received_.assign(grid.count(), false);
  received_count_ = 0;
  in_frame_ = true;
  return ok();
}

Result<void> FrameStore::put(const frames::TileDecoder::Tile& tile) {
  if (received_[tile.index]) return refused_frame("tile " + std::to_string(tile.index) + " came twice");
  received_[tile.index] = true;
  ++received_count_;
  const std::size_t row_bytes = static_cast<std::size_t>(tile.area.width) * frames::kBytesPerPixel;
  const std::size_t stride = static_cast<std::size_t>(grid_.width) * frames::kBytesPerPixel;
  std::uint8_t* to = pixels_.data() + static_cast<std::size_t>(tile.area.y) * stride +
                     static_cast<std::size_t>(tile.area.x) * frames::kBytesPerPixel;
  for (std::size_t at = 0; at < tile.pixels.size(); at += row_bytes, to += stride) {
    std::memcpy(to, tile.pixels.data() + at, row_bytes);
  }
  const auto* bytes = reinterpret_cast<const char*>(tile.pixels.data());
  hashes_[tile.index] = blake2b({bytes, tile.pixels.size()}, kHashBytes);
  return ok();
}

Result<void> FrameStore::finish() {
  const std::size_t expected = head_.key_frame() ? grid_.count() : head_.changed_tiles();
  if (received_count_ != expected) {
    return refused_frame("it announced " + std::to_string(expected) + " tiles and sent " +
                         std::to_string(received_count_));
  }
  if (received_count_ > 0) hash_frame();
  frame_id_ = head_.frame_id();
  in_frame_ = false;
  return ok();
}

void FrameStore::hash_frame() {
  std::string all = std::to_string(grid_.width) + "x" + std::to_string(grid_.height) + ":";
  all.reserve(all.size() + hashes_.size() * kHashBytes);
  for (const auto& hash : hashes_) all += hash;
  frame_hash_ = to_hex(blake2b(all, kHashBytes));
}

}  // namespace da::observer
