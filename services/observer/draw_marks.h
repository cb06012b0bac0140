// Draws numbered boxes around elements: a thin line and a small filled label with the number, in colours that tell
// neighbours apart. For images that are not scaled any more. Pure; one thread per canvas. Image pixels.
#pragma once

#include <span>

#include "services/observer/canvas.h"
#include "services/observer/frame_store.h"

namespace da::observer {

// The number of boxes[i] is i + 1. `below`: the screen without what is drawn over it, of the canvas's size; labels keep
// off its text, and off `keep_clear`. What is outside the canvas is left out.
void draw_marks(const PixelView& below, std::span<const Rect> boxes, std::span<const Rect> keep_clear, Canvas& canvas);

}  // namespace da::observer
