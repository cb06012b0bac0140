#include "services/observer/image/digits.h"

#include <array>
#include <string>

namespace da::observer {
namespace {

// One number for each row; the highest of its six bits is the left pixel.
using Glyph = std::array<unsigned, kDigitHeight>;

constexpr std::array<Glyph, 10> kGlyphs{{
    {0b011110, 0b110011, 0b110011, 0b110011, 0b110011, 0b110011, 0b110011, 0b110011, 0b011110},
    {0b001100, 0b011100, 0b111100, 0b001100, 0b001100, 0b001100, 0b001100, 0b001100, 0b111111},
    {0b011110, 0b110011, 0b000011, 0b000011, 0b000110, 0b001100, 0b011000, 0b110000, 0b111111},
    {0b011110, 0b110011, 0b000011, 0b000011, 0b001110, 0b000011, 0b000011, 0b110011, 0b011110},
    {0b000110, 0b001110, 0b011110, 0b110110, 0b110110, 0b111111, 0b000110, 0b000110, 0b000110},
    {0b111111, 0b110000, 0b110000, 0b111110, 0b110011, 0b000011, 0b000011, 0b110011, 0b011110},
    {0b001110, 0b011000, 0b110000, 0b111110, 0b110011, 0b110011, 0b110011, 0b110011, 0b011110},
    {0b111111, 0b111111, 0b000011, 0b000110, 0b000110, 0b001100, 0b001100, 0b011000, 0b011000},
    {0b011110, 0b110011, 0b110011, 0b011110, 0b011110, 0b110011, 0b110011, 0b110011, 0b011110},
    {0b011110, 0b110011, 0b110011, 0b110011, 0b110011, 0b011111, 0b000011, 0b000110, 0b011100},
}};

void draw_glyph(Canvas& canvas, const Glyph& glyph, Point at, int scale, const Colour& colour) {
  for (int row = 0; row < kDigitHeight; ++row) {
    for (int column = 0; column < kDigitWidth; ++column) {
      const bool set = (glyph[static_cast<std::size_t>(row)] >> (kDigitWidth - 1 - column) & 1U) != 0;
      if (set) fill_area(canvas, {at.x + column * scale, at.y + row * scale, scale, scale}, colour);
    }
  }
}

}  // namespace

int digits_width(int number, int scale) {
  const auto digits = static_cast<int>(std::to_string(number).size());
  return (digits * (kDigitWidth + 1) - 1) * scale;
}

void draw_digits(Canvas& canvas, int number, Point at, int scale, const Colour& colour) {
  for (const char digit : std::to_string(number)) {
    if (digit < '0' || digit > '9') continue;
    draw_glyph(canvas, kGlyphs[static_cast<std::size_t>(digit - '0')], at, scale, colour);
    at.x += (kDigitWidth + 1) * scale;
  }
}

}  // namespace da::observer
