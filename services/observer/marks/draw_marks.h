// Draws numbered boxes around elements: a thin line and a small filled label, with different colours for neighbours.
// Call it after scaling. Pure; one thread per canvas. Image pixels.
#pragma once

#include "services/observer/image/canvas.h"
#include "services/observer/marks/mark_labels.h"

namespace da::observer {

// The number of scene.boxes[i] is i + 1. scene.image is the screen without annotations, in the canvas's size. Boxes are
// clipped to the canvas.
void draw_marks(const LabelScene& scene, Canvas& canvas);

}  // namespace da::observer
