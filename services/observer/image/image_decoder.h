// Decodes PNG and JPEG files from outside. Size and memory are checked before anything is decoded, so that a small file
// cannot expand without limit. Pure; any thread. Errors: kInvalidArgument.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/base/result.h"
#include "lib/frames/tile_grid.h"

namespace da::observer {

struct DecodedImage {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bgrx;   // Rows from the top without gaps; byte 3 of each pixel is 0, as in frames.
  std::vector<std::uint8_t> alpha;  // One byte for each pixel; empty if all are opaque.

  frames::PixelView view() const {
    return {bgrx.data(), width, height, static_cast<std::size_t>(width) * frames::kBytesPerPixel};
  }
};

// max_pixels also limits width and height.
Result<DecodedImage> decode_image(std::string_view file, std::int64_t max_pixels);

}  // namespace da::observer
