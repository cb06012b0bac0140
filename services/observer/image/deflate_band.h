// Deflates a band of image rows (RFC 1951). A band ends on a byte boundary and refers to no other band, so that bands
// can be packed separately, cached and concatenated.
//
// Made for screens: it finds runs of one pixel, the row above, and the last occurrence of the same two pixels. One
// dynamic Huffman table for each band. One thread per packer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace da::observer {

class BandPacker {
 public:
  BandPacker();

  // Appends the packed band to `out`. `stride` is the length of a row in bytes.
  void pack(std::span<const std::uint8_t> band, std::size_t stride, std::vector<std::uint8_t>& out);

 private:
  void tokenize(std::span<const std::uint8_t> band, std::size_t stride);

  std::vector<std::uint32_t> tokens_;   // Literals, and matches as length << 16 | distance.
  std::vector<std::uint32_t> last_at_;  // Indexed by hash of 6 bytes: 1 + their last position in the band, 0 if none.
};

}  // namespace da::observer
