// A template in the form in which the searches compare it: pixels and mask at one scale. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/base/result.h"
#include "services/observer/image/image_decoder.h"

namespace da::observer {

enum class MaskBy { kNothing, kAlpha };

struct TemplatePixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bgrx;  // Rows without gaps; byte 3 is 0. All bytes of pixels that do not count are 0.
  std::vector<std::uint8_t> mask;  // 255: the pixel counts, 0: it does not. Empty: all count.

  const std::uint8_t* pixel(int x, int y) const { return bgrx.data() + index(x, y) * frames::kBytesPerPixel; }
  bool counts(int x, int y) const { return mask.empty() || mask[index(x, y)] != 0; }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

// Rounded to whole pixels, at least 1x1.
int scaled_length(int length, double scale);

// With MaskBy::kAlpha, pixels with an alpha value of at least 128 count. The result has no pixel that counts if all are
// transparent.
TemplatePixels template_pixels(const DecodedImage& image, MaskBy mask_by, double scale);

// False if no pixel counts.
bool has_pixels(const TemplatePixels& pixels);

// Whether all pixels that count are equal, so that the correlation is undefined.
bool has_one_colour(const TemplatePixels& pixels);

}  // namespace da::observer
