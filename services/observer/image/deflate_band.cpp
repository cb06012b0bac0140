#include "services/observer/image/deflate_band.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "services/observer/image/huffman.h"

namespace da::observer {
namespace {

constexpr std::size_t kMinMatch = 6;
constexpr std::size_t kMaxMatch = 258;
constexpr std::size_t kMaxDistance = 32768;
constexpr std::size_t kPixel = 3;
constexpr int kHashBits = 13;
constexpr std::size_t kEndOfBlock = 256;
constexpr std::size_t kLengthSymbols = 286;
constexpr std::size_t kDistanceSymbols = 30;
constexpr std::array<std::uint8_t, 19> kCodeLengthOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                        11, 4,  12, 3, 13, 2, 14, 1, 15};

struct Extra {
  std::uint16_t symbol;
  std::uint16_t base;
  std::uint8_t bits;
};

// RFC 1951, 3.2.5.
std::array<Extra, kMaxMatch + 1> make_length_table() {
  std::array<Extra, kMaxMatch + 1> table{};
  for (std::size_t length = 3; length <= kMaxMatch; ++length) {
    const std::size_t from_zero = length - 3;
    if (length == kMaxMatch) {
      table[length] = {285, kMaxMatch, 0};
    } else if (from_zero < 8) {
      table[length] = {static_cast<std::uint16_t>(257 + from_zero), static_cast<std::uint16_t>(length), 0};
    } else {
      const int bits = static_cast<int>(std::bit_width(from_zero)) - 3;
      const std::size_t base = from_zero >> bits << bits;
      table[length] = {static_cast<std::uint16_t>(257 + 4 * static_cast<std::size_t>(bits) + (from_zero >> bits)),
                       static_cast<std::uint16_t>(base + 3), static_cast<std::uint8_t>(bits)};
    }
  }
  return table;
}

Extra distance_code(std::size_t distance) {
  const std::size_t from_zero = distance - 1;
  if (from_zero < 4) return {static_cast<std::uint16_t>(from_zero), static_cast<std::uint16_t>(distance), 0};
  const int bits = static_cast<int>(std::bit_width(from_zero)) - 2;
  const std::size_t base = from_zero >> bits << bits;
  return {static_cast<std::uint16_t>(2 * static_cast<std::size_t>(bits) + (from_zero >> bits)),
          static_cast<std::uint16_t>(base + 1), static_cast<std::uint8_t>(bits)};
}

const std::array<Extra, kMaxMatch + 1> kLengths = make_length_table();

// Appends to `out`. It reserves `most_bytes` at once, so that put() needs no bounds check.
class BitWriter {
 public:
  BitWriter(std::vector<std::uint8_t>& out, std::size_t most_bytes) : out_(out), at_(out.size()) {
    out.resize(at_ + most_bytes);
  }
  ~BitWriter() { out_.resize(at_); }
  BitWriter(const BitWriter&) = delete;
  BitWriter& operator=(const BitWriter&) = delete;

  // Takes at most 32 bits at once.
  void put(std::uint64_t value, int count) {
    pending_ |= value << held_;
    held_ += count;
    if (held_ < 32) return;
    const auto word = static_cast<std::uint32_t>(pending_);
    std::memcpy(out_.data() + at_, &word, 4);
    at_ += 4;
    pending_ >>= 32;
    held_ -= 32;
  }
  void put(const HuffmanCode& code, std::size_t symbol) { put(code.bits[symbol], code.lengths[symbol]); }
  // Pads with zero bits to a whole byte.
  void align() {
    for (; held_ > 0; held_ -= 8, pending_ >>= 8) out_[at_++] = static_cast<std::uint8_t>(pending_);
    held_ = 0;
    pending_ = 0;
  }

 private:
  std::vector<std::uint8_t>& out_;
  std::size_t at_;
  std::uint64_t pending_ = 0;
  int held_ = 0;
};

std::uint64_t load8(const std::uint8_t* at) {
  std::uint64_t value;
  std::memcpy(&value, at, 8);
  return value;
}

std::size_t match_length(const std::uint8_t* at, const std::uint8_t* earlier, const std::uint8_t* end) {
  const std::uint8_t* const start = at;
  while (end - at >= 8) {
    const std::uint64_t differs = load8(at) ^ load8(earlier);
    if (differs != 0)
      return static_cast<std::size_t>(at - start) + static_cast<std::size_t>(std::countr_zero(differs)) / 8;
    at += 8;
    earlier += 8;
  }
  while (at < end && *at == *earlier) ++at, ++earlier;
  return static_cast<std::size_t>(at - start);
}

std::size_t hash_of(const std::uint8_t* at) {
  return static_cast<std::size_t>((load8(at) << 16) * 0x9e3779b97f4a7c15ull >> (64 - kHashBits));
}

// Without the run codes of RFC 1951, which would save at most 40 bytes a band.
void put_tables(BitWriter& bits, const HuffmanCode& symbols, const HuffmanCode& distances) {
  std::array<std::uint32_t, 19> frequencies{};
  for (const auto length : symbols.lengths) ++frequencies[length];
  for (const auto length : distances.lengths) ++frequencies[length];
  const HuffmanCode lengths = make_huffman_code(frequencies, 7);
  bits.put(kLengthSymbols - 257, 5);
  bits.put(kDistanceSymbols - 1, 5);
  bits.put(kCodeLengthOrder.size() - 4, 4);
  for (const auto symbol : kCodeLengthOrder) bits.put(lengths.lengths[symbol], 3);
  for (const auto length : symbols.lengths) bits.put(lengths, length);
  for (const auto length : distances.lengths) bits.put(lengths, length);
}

void put_tokens(BitWriter& bits, const std::vector<std::uint32_t>& tokens, const HuffmanCode& symbols,
                const HuffmanCode& distances) {
  for (const std::uint32_t token : tokens) {
    const std::size_t length = token >> 16;
    if (length == 0) {
      bits.put(symbols, token);
      continue;
    }
    const Extra& by_length = kLengths[length];
    bits.put(symbols, by_length.symbol);
    bits.put(length - by_length.base, by_length.bits);
    const std::size_t distance = token & 0xffffu;
    const Extra by_distance = distance_code(distance);
    bits.put(distances, by_distance.symbol);
    bits.put(distance - by_distance.base, by_distance.bits);
  }
  bits.put(symbols, kEndOfBlock);
}

// The size of these symbols with their extra bits (at most 13), plus half of the tables and block ends.
std::size_t most_bytes(std::span<const std::uint32_t> counts, const HuffmanCode& code) {
  constexpr std::size_t kMostExtraBits = 13;
  constexpr std::size_t kTableAndEnds = 1024;
  std::size_t bits = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool has_extra = counts.size() == kDistanceSymbols || i > kEndOfBlock;
    bits += std::size_t{counts[i]} * (code.lengths[i] + (has_extra ? kMostExtraBits : 0));
  }
  return bits / 8 + kTableAndEnds;
}

}  // namespace

BandPacker::BandPacker() : last_at_(std::size_t{1} << kHashBits) {}

void BandPacker::tokenize(std::span<const std::uint8_t> band, std::size_t stride) {
  tokens_.clear();
  std::fill(last_at_.begin(), last_at_.end(), 0);
  const std::uint8_t* const start = band.data();
  const std::uint8_t* const end = start + band.size();
  std::size_t at = 0;
  const auto try_match = [&](std::size_t distance, std::size_t& best, std::size_t& best_distance) {
    if (distance == 0 || distance > at || distance >= kMaxDistance) return;
    const std::size_t length = match_length(start + at, start + at - distance, end);
    if (length > best) best = length, best_distance = distance;
  };
  while (at < band.size()) {
    std::size_t best = kMinMatch - 1;
    std::size_t distance = 0;
    try_match(kPixel, best, distance);
    // Try runs first: their distance costs a bit or two, the row above a dozen more.
    if (best < kMaxMatch) try_match(stride, best, distance);
    if (band.size() - at >= 8) {
      std::uint32_t& last = last_at_[hash_of(start + at)];
      if (distance == 0 && last != 0) try_match(at - (last - 1), best, distance);
      last = static_cast<std::uint32_t>(at + 1);
    }
    if (distance == 0) {
      tokens_.push_back(start[at++]);
      continue;
    }
    at += best;
    for (std::size_t left = best; left >= 3;) {
      const std::size_t length = left > kMaxMatch && left < kMaxMatch + 3 ? kMaxMatch - 3 : std::min(left, kMaxMatch);
      tokens_.push_back(static_cast<std::uint32_t>(length << 16 | distance));
      left -= length;
    }
  }
}

void BandPacker::pack(std::span<const std::uint8_t> band, std::size_t stride, std::vector<std::uint8_t>& out) {
  tokenize(band, stride);
  std::array<std::uint32_t, kLengthSymbols> symbol_counts{};
  std::array<std::uint32_t, kDistanceSymbols> distance_counts{};
  symbol_counts[kEndOfBlock] = 1;
  for (const std::uint32_t token : tokens_) {
    const std::size_t length = token >> 16;
    if (length == 0) {
      ++symbol_counts[token];
    } else {
      ++symbol_counts[kLengths[length].symbol];
      ++distance_counts[distance_code(token & 0xffffu).symbol];
    }
  }
  const HuffmanCode symbols = make_huffman_code(symbol_counts, 15);
  const HuffmanCode distances = make_huffman_code(distance_counts, 15);
  BitWriter bits(out, most_bytes(symbol_counts, symbols) + most_bytes(distance_counts, distances));
  bits.put(0b100, 3);  // Not the last block; dynamic codes.
  put_tables(bits, symbols, distances);
  put_tokens(bits, tokens_, symbols, distances);
  bits.put(0b000, 3);  // An empty stored block, which ends on a byte boundary.
  bits.align();
  bits.put(0xffff0000u, 32);
}

}  // namespace da::observer
