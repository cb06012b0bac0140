#include "services/planner/model/wire/base64.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace da::planner::model {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

using Pair = std::array<char, 2>;

// For each 12 bits their two digits: half as many look-ups, for 8 KB of table.
constexpr std::array<Pair, 4096> make_pairs() {
  std::array<Pair, 4096> pairs{};
  for (std::size_t bits = 0; bits < pairs.size(); ++bits) pairs[bits] = {kDigits[bits >> 6], kDigits[bits & 63]};
  return pairs;
}
constexpr std::array<Pair, 4096> kPairs = make_pairs();

}  // namespace

// Not libsodium's: that takes the same time for each byte, as secrets need it, and is several times slower for an
// image.
std::string base64(std::string_view bytes, std::string_view before) {
  std::string text(before);
  text.resize(before.size() + (bytes.size() + 2) / 3 * 4, '=');
  const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
  std::size_t from = 0;
  char* to = text.data() + before.size();
  for (; from + 3 <= bytes.size(); from += 3, to += 4) {
    const std::uint32_t bits = byte(from) << 16 | byte(from + 1) << 8 | byte(from + 2);
    std::memcpy(to, kPairs[bits >> 12].data(), 2);
    std::memcpy(to + 2, kPairs[bits & 4095].data(), 2);
  }
  const std::size_t left = bytes.size() - from;
  if (left > 0) {
    const std::uint32_t bits = byte(from) << 16 | (left == 2 ? byte(from + 1) << 8 : 0);
    std::memcpy(to, kPairs[bits >> 12].data(), 2);
    if (left == 2) to[2] = kDigits[bits >> 6 & 63];
  }
  return text;
}

}  // namespace da::planner::model
