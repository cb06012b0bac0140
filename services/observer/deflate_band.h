// Deflates a band of image rows (RFC 1951) as blocks that end on a byte boundary and refer to nothing outside the band,
// so that bands can be packed apart, kept, and put one after the other.
//
// Made for screens: it looks for runs of one pixel, for the row above, and for the last place where the same two pixels
// stood, which is most of what a screen repeats; one dynamic Huffman table for each block. One thread per packer.
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
  std::vector<std::uint32_t> last_at_;  // Hash of 6 bytes to the position after it was seen, within the band.
};

}  // namespace da::observer
