#include "services/observer/image/png_encoder.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace da::observer {
namespace {

constexpr int kBandRows = 64;
constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

void append_chunk(std::string& png, std::string_view type, std::string_view data) {
  png += big_endian(static_cast<std::uint32_t>(data.size()));
  const std::size_t from = png.size();
  png += type;
  png += data;
  png += big_endian(libdeflate_crc32(0, png.data() + from, png.size() - from));
}

// The Adler-32 of two concatenated pieces (RFC 1950; both sums are modulo 65521).
std::uint32_t join_adler(std::uint32_t first, std::uint32_t second, std::size_t second_size) {
  constexpr std::uint64_t kModulus = 65521;
  const std::uint64_t size = second_size % kModulus;
  const std::uint64_t a1 = first & 0xffff;
  const std::uint64_t a = (a1 + (second & 0xffff) + kModulus - 1) % kModulus;
  const std::uint64_t b = ((first >> 16) + (second >> 16) + size * (a1 + kModulus - 1)) % kModulus;
  return static_cast<std::uint32_t>(b << 16 | a);
}

}  // namespace

void PngEncoder::refresh_bands(const Canvas& canvas) {
  const std::size_t stride = canvas.stride();
  const std::size_t band_bytes = stride * kBandRows;
  const auto rows = canvas.bytes();
  packed_bands_ = 0;
  const bool comparable = width_ == canvas.width() && height_ == canvas.height();
  if (!comparable) {
    width_ = canvas.width();
    height_ = canvas.height();
    bands_.assign((rows.size() + band_bytes - 1) / band_bytes, {});
    last_.assign(rows.size(), 0);
    last_.shrink_to_fit();
  }
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const std::size_t from = i * band_bytes;
    const auto band = rows.subspan(from, std::min(band_bytes, rows.size() - from));
    if (comparable && std::memcmp(band.data(), last_.data() + from, band.size()) == 0) continue;
    std::memcpy(last_.data() + from, band.data(), band.size());
    bands_[i].packed.clear();
    packer_.pack(band, stride, bands_[i].packed);
    bands_[i].adler = libdeflate_adler32(1, band.data(), band.size());
    bands_[i].size = band.size();
    ++packed_bands_;
  }
}

std::string PngEncoder::encode(const Canvas& canvas) {
  refresh_bands(canvas);
  std::size_t size = 0;
  std::uint32_t adler = 1;
  for (const Band& band : bands_) {
    size += band.packed.size() + 12;
    adler = join_adler(adler, band.adler, band.size);
  }
  std::string png(kSignature);
  png.reserve(size + 128);
  append_chunk(
      png, "IHDR",
      big_endian(static_cast<std::uint32_t>(width_)) + big_endian(static_cast<std::uint32_t>(height_)) +
          std::string("\x08\x02\x00\x00\x00", 5));  // 8 bits, RGB, deflate, no filter method but 0, not interlaced.
  append_chunk(png, "IDAT", "\x78\x01");            // zlib's header: deflate, 32 kB window, fast.
  for (const Band& band : bands_) {
    append_chunk(png, "IDAT", {reinterpret_cast<const char*>(band.packed.data()), band.packed.size()});
  }
  append_chunk(png, "IDAT", std::string("\x03\x00", 2) + big_endian(adler));  // An empty last block.
  append_chunk(png, "IEND", {});
  return png;
}

}  // namespace da::observer
