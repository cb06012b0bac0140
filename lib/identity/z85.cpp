#include "lib/identity/z85.h"

#include <cstdint>
#include <limits>

namespace da::identity {
namespace {

constexpr std::string_view kAlphabet =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
static_assert(kAlphabet.size() == 85);

}  // namespace

std::string z85_encode(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    for (std::uint32_t weight = 85u * 85 * 85 * 85; weight > 0; weight /= 85) text += kAlphabet[value / weight % 85];
  }
  return text;
}

std::optional<std::string> z85_decode(std::string_view text) {
  if (text.size() % 5 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 5) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      const std::size_t digit = kAlphabet.find(text[at + i]);
      if (digit == std::string_view::npos) return std::nullopt;
      value = value * 85 + digit;
    }
    if (value > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  }
  return bytes;
}

}  // namespace da::identity
