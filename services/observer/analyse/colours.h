// Colours of a part of a frame. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/frames/tile_grid.h"

namespace da::observer {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

// The point must lie inside.
Colour colour_at(const frames::PixelView& pixels, Point at);

// The mean of each channel, rounded. `pixels` is not empty.
Colour average_colour(const frames::PixelView& pixels);

struct DominantColour {
  Colour colour;
  double share = 0;  // 0..1
};

// k-means with k-means++ and a fixed seed: equal pixels give equal clusters. Largest share first; fewer than `clusters`
// if there are fewer colours. Up to kMostColours different colours are clustered as they are. More are first joined to
// cubes of 8 levels a channel, each with its mean colour, so that the time does not grow with the number of pixels.
inline constexpr std::size_t kMostColours = 4096;
std::vector<DominantColour> dominant_colours(const frames::PixelView& pixels, int clusters);

}  // namespace da::observer
