#include "services/observer/analyse/templates/exact_search.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace da::observer {
namespace {

// A longer piece makes memmem slower: glibc compares up to 256 bytes with a table of hashes.
constexpr int kLongestPiece = 64;

struct Piece {
  int x = 0;
  int y = 0;
  int length = 0;   // Pixels that all count.
  int changes = 0;  // Changes of colour from one pixel to the next.
};

bool better(const Piece& a, const Piece& b) {
  return a.changes != b.changes ? a.changes > b.changes : a.length > b.length;
}

Piece distinctive_piece(const TemplatePixels& wanted) {
  Piece best;
  for (int y = 0; y < wanted.height; ++y) {
    Piece piece{0, y, 0, 0};
    for (int x = 0; x < wanted.width; ++x) {
      if (!wanted.counts(x, y) || piece.length == kLongestPiece) piece = {x, y, 0, 0};
      if (!wanted.counts(x, y)) continue;
      if (piece.length == 0) piece.x = x;
      if (piece.length > 0 && std::memcmp(wanted.pixel(x - 1, y), wanted.pixel(x, y), 4) != 0) ++piece.changes;
      ++piece.length;
      if (better(piece, best)) best = piece;
    }
  }
  return best;
}

bool row_is_equal(const std::uint8_t* pixels, const TemplatePixels& wanted, int y) {
  if (wanted.mask.empty())
    return std::memcmp(pixels, wanted.pixel(0, y), static_cast<std::size_t>(wanted.width) * 4) == 0;
  for (int x = 0; x < wanted.width; ++x) {
    if (wanted.counts(x, y) && std::memcmp(pixels + x * 4, wanted.pixel(x, y), 4) != 0) return false;
  }
  return true;
}

// Compares the corners' rows first: repeated content differs there sooner.
bool is_equal(const frames::PixelView& region, Point at, const TemplatePixels& wanted) {
  const auto row = [&](int y) {
    return region.data + static_cast<std::size_t>(at.y + y) * region.stride + static_cast<std::size_t>(at.x) * 4;
  };
  if (!row_is_equal(row(0), wanted, 0) || !row_is_equal(row(wanted.height - 1), wanted, wanted.height - 1))
    return false;
  for (int y = 1; y + 1 < wanted.height; ++y) {
    if (!row_is_equal(row(y), wanted, y)) return false;
  }
  return true;
}

bool is_same_place(Point a, Point b, const TemplatePixels& wanted) {
  const Rect one{a.x, a.y, wanted.width, wanted.height};
  const Rect other{b.x, b.y, wanted.width, wanted.height};
  return intersection(one, other).area() * 2 >= one.area();
}

}  // namespace

std::vector<Point> find_exact(const frames::PixelView& region, const TemplatePixels& wanted, std::size_t most) {
  std::vector<Point> found;
  const Piece piece = distinctive_piece(wanted);
  if (piece.length == 0 || wanted.width > region.width || wanted.height > region.height) return found;
  const auto piece_bytes = static_cast<std::size_t>(piece.length) * 4;
  for (int y = 0; y + wanted.height <= region.height; ++y) {
    const std::uint8_t* row =
        region.data + static_cast<std::size_t>(y + piece.y) * region.stride + static_cast<std::size_t>(piece.x) * 4;
    const std::size_t bytes = (static_cast<std::size_t>(region.width - wanted.width + piece.length)) * 4;
    for (std::size_t from = 0; from + piece_bytes <= bytes;) {
      const void* hit = memmem(row + from, bytes - from, wanted.pixel(piece.x, piece.y), piece_bytes);
      if (hit == nullptr) break;
      const auto offset = static_cast<std::size_t>(static_cast<const std::uint8_t*>(hit) - row);
      from = (offset + 3) / 4 * 4;  // The next whole pixel.
      if (offset != from) continue;
      from += 4;
      const Point at{static_cast<int>(offset / 4), y};
      const bool known = std::ranges::any_of(found, [&](Point other) { return is_same_place(at, other, wanted); });
      if (known || !is_equal(region, at, wanted)) continue;
      found.push_back(at);
      if (found.size() == most) return found;
    }
  }
  return found;
}

}  // namespace da::observer
