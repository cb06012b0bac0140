// Decimal numbers in bold pixels, sharp at any place: what OpenCV draws at this size is thin and grey. Pure; one thread
// per canvas.
#pragma once

#include "lib/base/geometry.h"
#include "services/observer/canvas.h"
#include "services/observer/colour.h"

namespace da::observer {

inline constexpr int kDigitWidth = 6;  // Pixels at scale 1.
inline constexpr int kDigitHeight = 9;

// Pixels that the number takes: its digits with one pixel between them.
int digits_width(int number, int scale);

// `at`: upper left corner. What is outside the canvas is left out.
void draw_digits(Canvas& canvas, int number, Point at, int scale, const Colour& colour);

}  // namespace da::observer
