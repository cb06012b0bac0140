// Annotates a copy of the screen, so that a model can name a pixel: a grid (thin lines every 50 pixels, stronger ones
// every 200 with their coordinates), a crosshair at the cursor, a magnified inset of its surroundings in a far corner,
// and a banner "image=WxH". Lines are translucent, so that the interface below stays legible.
//
// Coordinates are image pixels: (0,0) is the desktop's top left pixel. Pure; one thread per canvas.
#pragma once

#include <optional>
#include <span>

#include "services/observer/frames/frame_store.h"
#include "services/observer/image/canvas.h"
#include "services/observer/marks/keep_clear.h"

namespace da::observer {

inline constexpr int kMinorGrid = 50;  // Pixels.
inline constexpr int kMajorGrid = 200;

// Copies the frame without annotations. The canvas gets the frame's size; its memory is reused.
void draw_plain(const frames::PixelView& frame, Canvas& canvas);

// `cursor` and `clear` are in image pixels. Without a cursor inside the image there is no crosshair and no inset. Where
// inset, banner and numbers would cover `clear`, they move to another corner or are left out. Returns the inset's area,
// which may be empty.
Rect annotate(const frames::PixelView& frame, std::optional<Point> cursor, Canvas& canvas, const KeepClear& clear = {});

// The corner farthest from the cursor where the inset covers neither the crosshair nor `keep_clear`; empty if there is
// none or the image is too small.
Rect inset_area(int width, int height, Point cursor, std::span<const Rect> keep_clear = {});

}  // namespace da::observer
