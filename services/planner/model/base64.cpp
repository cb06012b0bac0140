#include "services/planner/model/base64.h"

#include <cstdint>

namespace da::planner::model {

// Not libsodium's: that takes the same time for each byte, as secrets need it, and is several times slower for an
// image.
std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
  std::size_t from = 0;
  std::size_t to = 0;
  const auto put = [&](std::uint32_t bits, int digits) {
    for (int shift = 18; digits > 0; --digits, shift -= 6) text[to++] = kDigits[bits >> shift & 63];
  };
  for (; from + 3 <= bytes.size(); from += 3) put(byte(from) << 16 | byte(from + 1) << 8 | byte(from + 2), 4);
  if (bytes.size() - from == 1) put(byte(from) << 16, 2);
  if (bytes.size() - from == 2) put(byte(from) << 16 | byte(from + 1) << 8, 3);
  return text;
}

}  // namespace da::planner::model
