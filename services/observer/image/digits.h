// Draws sharp bold numbers. OpenCV's text is thin and grey at this size. Pure; one thread per canvas.
#pragma once

#include "lib/base/geometry.h"
#include "services/observer/image/canvas.h"
#include "services/observer/image/colour.h"

namespace da::observer {

inline constexpr int kDigitWidth = 6;  // Pixels at scale 1.
inline constexpr int kDigitHeight = 9;

// Pixels of the digits and the gaps between them.
int digits_width(int number, int scale);

// `at` is the upper left corner. Clipped to the canvas.
void draw_digits(Canvas& canvas, int number, Point at, int scale, const Colour& colour);

}  // namespace da::observer
