// Huffman codes for deflate (RFC 1951, 3.2.2). Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace da::observer {

struct HuffmanCode {
  std::vector<std::uint8_t> lengths;  // Bits of each symbol's code; 0 if the symbol does not occur.
  std::vector<std::uint16_t> bits;    // The code with its lowest bit first, as deflate writes it.
};

// A complete code of at most max_length bits for the symbols that occur. It has at least two symbols, because some
// decoders reject an incomplete code.
HuffmanCode make_huffman_code(std::span<const std::uint32_t> frequencies, int max_length);

}  // namespace da::observer
