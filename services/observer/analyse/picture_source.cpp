#include "services/observer/analyse/picture_source.h"

#include <vector>

#include "lib/frames/tile_compressor.h"

namespace da::observer {
namespace {

constexpr const char* kFrameId = "picture";
constexpr std::size_t kChunkBytes = 1 << 20;

Error no_elements() { return {Code::kUnimplemented, "a picture has no elements"}; }

void append(const frames::PixelView& picture, const Rect& tile, std::vector<std::uint8_t>& pixels) {
  for (int y = tile.y; y < tile.bottom(); ++y) {
    const std::uint8_t* row =
        picture.data + static_cast<std::size_t>(y) * picture.stride + static_cast<std::size_t>(tile.x) * 4;
    pixels.insert(pixels.end(), row, row + static_cast<std::size_t>(tile.width) * 4);
  }
}

void add_tile(const Rect& tile, v1::FrameChunk& chunk) {
  auto& out = *chunk.add_tiles();
  out.set_x(static_cast<std::uint32_t>(tile.x));
  out.set_y(static_cast<std::uint32_t>(tile.y));
  out.set_width(static_cast<std::uint32_t>(tile.width));
  out.set_height(static_cast<std::uint32_t>(tile.height));
}

}  // namespace

Result<void> PictureSource::frames(const v1::FramesRequest& request, const TakeChunk& take) {
  const bool known = request.known_frame_id() == kFrameId;
  const frames::TileGrid grid{picture_.width, picture_.height};
  v1::FrameChunk chunk;
  auto& head = *chunk.mutable_head();
  head.set_frame_id(kFrameId);
  head.set_key_frame(!known);
  head.mutable_desktop()->set_width(static_cast<std::uint32_t>(picture_.width));
  head.mutable_desktop()->set_height(static_cast<std::uint32_t>(picture_.height));
  head.set_settled(true);
  frames::TileCompressor compressor;
  std::vector<std::uint8_t> pixels;
  const auto send = [&]() -> Result<void> {
    if (!pixels.empty()) {
      ASSIGN_OR_RETURN(const auto packed, compressor.compress(pixels));
      chunk.set_pixels(std::string(packed));
    }
    RETURN_IF_ERROR(take(chunk));
    pixels.clear();
    chunk.Clear();
    return ok();
  };
  for (std::size_t i = 0; i < grid.count() && !known; ++i) {
    append(picture_.view(), grid.tile(i), pixels);
    add_tile(grid.tile(i), chunk);
    if (pixels.size() > kChunkBytes && i + 1 < grid.count()) RETURN_IF_ERROR(send());
  }
  chunk.set_last(true);
  return send();
}

Result<v1::UiTree> PictureSource::read_ui_tree(const v1::UiTreeRequest&) { return no_elements(); }
Result<v1::UiNode> PictureSource::read_element(const v1::ElementRequest&) { return no_elements(); }
Result<v1::TextPlacesReply> PictureSource::read_text_places(const v1::TextPlacesRequest&) { return no_elements(); }

Result<v1::AwaitChangeReply> PictureSource::await_change(const v1::AwaitChangeRequest&, const std::stop_token&) {
  return Error{Code::kUnimplemented, "a picture file never changes: leave out max_wait_ms"};
}

}  // namespace da::observer
