// Draws what helps a model to name a pixel onto a copy of the screen: a grid (thin lines every 50 pixels, stronger ones
// every 200 with their coordinates), a crosshair at the cursor, a magnified inset of its surroundings in a corner
// far from it, and a banner "image=WxH". Lines are blended thinly, so that the interface below stays
// legible.
//
// Coordinates that are drawn are image pixels: (0,0) is the desktop's top left pixel. A pure function of its arguments;
// one thread per canvas. OpenCV stays behind this header.
#pragma once

#include <optional>
#include <span>

#include "services/observer/canvas.h"
#include "services/observer/frame_store.h"
#include "services/observer/keep_clear.h"

namespace da::observer {

inline constexpr int kMinorGrid = 50;  // Pixels.
inline constexpr int kMajorGrid = 200;

// The screen as it is. The canvas gets the frame's size; its memory is used again from call to call.
void draw_plain(const PixelView& frame, Canvas& canvas);

// `cursor` in image pixels; without one, or outside the image, there is no crosshair and no inset. Inset, banner and
// numbers keep off what must stay visible (`clear`, in image pixels): they are drawn in another corner, or left out.
// Returns where the inset is, empty where there is none.
Rect annotate(const PixelView& frame, std::optional<Point> cursor, Canvas& canvas, const KeepClear& clear = {});

// Where the inset goes for this cursor: the farthest corner that is away from the crosshair and hides nothing of
// `keep_clear`. Empty where there is none, or the image is too small.
Rect inset_area(int width, int height, Point cursor, std::span<const Rect> keep_clear = {});

}  // namespace da::observer
