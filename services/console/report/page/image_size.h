// Reads the type and size of an image file from its header: PNG (RFC 2083) and JPEG (ITU-T T.81). Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace da::console {

struct ImageSize {
  const char* media_type;
  std::uint32_t width;  // Pixels, at least 1.
  std::uint32_t height;
};

// nullopt if the bytes begin neither a PNG nor a JPEG.
std::optional<ImageSize> image_size(std::string_view bytes);

}  // namespace da::console
