#include "services/console/report/page/image_size.h"

namespace da::console {
namespace {

std::uint32_t big_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::optional<ImageSize> png_size(std::string_view bytes) {
  constexpr std::string_view kBegin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  if (!bytes.starts_with(kBegin) || bytes.size() < kBegin.size() + 8) return std::nullopt;
  return ImageSize{"image/png", big_endian(bytes, 16, 4), big_endian(bytes, 20, 4)};
}

// T.81, B.2.2: a start of frame holds the precision, the height and the width.
std::optional<ImageSize> jpeg_size(std::string_view bytes) {
  if (!bytes.starts_with("\xff\xd8")) return std::nullopt;
  for (std::size_t at = 2; at + 9 <= bytes.size() && bytes[at] == '\xff';) {
    const auto marker = static_cast<unsigned char>(bytes[at + 1]);
    const bool is_table = marker == 0xc4 || marker == 0xc8 || marker == 0xcc;
    if (marker >= 0xc0 && marker <= 0xcf && !is_table) {
      return ImageSize{"image/jpeg", big_endian(bytes, at + 7, 2), big_endian(bytes, at + 5, 2)};
    }
    at += 2 + big_endian(bytes, at + 2, 2);
  }
  return std::nullopt;
}

}  // namespace

std::optional<ImageSize> image_size(std::string_view bytes) {
  auto size = png_size(bytes);
  if (!size) size = jpeg_size(bytes);
  if (!size || size->width == 0 || size->height == 0) return std::nullopt;
  return size;
}

}  // namespace da::console
