#include "services/observer/image/huffman.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace da::observer {
namespace {

// The depth of each leaf in a Huffman tree of the nonzero frequencies.
std::vector<std::uint8_t> tree_depths(std::span<const std::uint32_t> frequencies) {
  using Entry = std::pair<std::uint64_t, std::size_t>;  // Weight, node.
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    if (frequencies[i] > 0) open.emplace(frequencies[i], i);
  }
  std::vector<std::size_t> parent(2 * frequencies.size(), 0);
  std::size_t next = frequencies.size();
  while (open.size() > 1) {
    const auto [weight_a, a] = open.top();
    open.pop();
    const auto [weight_b, b] = open.top();
    open.pop();
    parent[a] = parent[b] = next;
    open.emplace(weight_a + weight_b, next++);
  }
  const std::size_t root = next - 1;
  std::vector<std::uint8_t> depth(next, 0);
  for (std::size_t node = root; node-- > 0;) {
    if (parent[node] != 0) depth[node] = static_cast<std::uint8_t>(depth[parent[node]] + 1);
  }
  depth.resize(frequencies.size());
  return depth;
}

std::uint16_t reversed(std::uint32_t code, int length) {
  std::uint32_t out = 0;
  for (int i = 0; i < length; ++i) out |= (code >> i & 1u) << (length - 1 - i);
  return static_cast<std::uint16_t>(out);
}

void assign_codes(HuffmanCode& code, int max_length) {
  std::vector<std::uint32_t> count(static_cast<std::size_t>(max_length) + 1, 0);
  for (const auto length : code.lengths) ++count[length];
  count[0] = 0;
  std::vector<std::uint32_t> next(count.size() + 1, 0);
  for (std::size_t length = 1; length < count.size(); ++length) {
    next[length] = (next[length - 1] + count[length - 1]) << 1;
  }
  code.bits.assign(code.lengths.size(), 0);
  for (std::size_t symbol = 0; symbol < code.lengths.size(); ++symbol) {
    const int length = code.lengths[symbol];
    if (length > 0) code.bits[symbol] = reversed(next[static_cast<std::size_t>(length)]++, length);
  }
}

}  // namespace

HuffmanCode make_huffman_code(std::span<const std::uint32_t> frequencies, int max_length) {
  std::vector<std::uint32_t> weights(frequencies.begin(), frequencies.end());
  auto used = static_cast<std::size_t>(std::count_if(weights.begin(), weights.end(), [](auto f) { return f > 0; }));
  for (std::size_t i = 0; used < 2; ++i) {
    if (weights[i] != 0) continue;
    weights[i] = 1;
    ++used;
  }
  HuffmanCode code;
  code.lengths = tree_depths(weights);
  // Halving the weights flattens the tree; a few rounds are enough for any tree.
  while (*std::max_element(code.lengths.begin(), code.lengths.end()) > max_length) {
    for (auto& weight : weights) weight = weight == 0 ? 0 : weight / 2 + 1;
    code.lengths = tree_depths(weights);
  }
  assign_codes(code, max_length);
  return code;
}

}  // namespace da::observer
