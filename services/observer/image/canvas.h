// An RGB image with the rows of a PNG, so that the encoder needs no copy: one filter byte (0, "none"), then width
// pixels of 3 bytes. Allocated once for a size. Plain data; one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace da::observer {

class Canvas {
 public:
  // Keeps memory and pixels if the size stays the same; else all pixels are 0.
  void resize(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    bytes_.assign(stride() * static_cast<std::size_t>(height), 0);
    bytes_.shrink_to_fit();
  }

  int width() const { return width_; }
  int height() const { return height_; }
  std::size_t stride() const { return 1 + 3 * static_cast<std::size_t>(width_); }  // Bytes, with the filter byte.

  std::uint8_t* pixel(int x, int y) {
    return bytes_.data() + static_cast<std::size_t>(y) * stride() + 1 + 3 * static_cast<std::size_t>(x);
  }
  const std::uint8_t* pixel(int x, int y) const { return const_cast<Canvas*>(this)->pixel(x, y); }
  // All rows, filter bytes included.
  std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  int width_ = 0;
  int height_ = 0;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace da::observer
