// Draws numbered boxes around elements: a thin line and a small filled label with the number, in colours that tell
// neighbours apart. For images that are not scaled any more. Pure; one thread per canvas. Image pixels.
#pragma once

#include "services/observer/canvas.h"
#include "services/observer/mark_labels.h"

namespace da::observer {

// The number of scene.boxes[i] is i + 1. The scene's image is the screen without what is drawn over it, of the canvas's
// size. What is outside the canvas is left out.
void draw_marks(const LabelScene& scene, Canvas& canvas);

}  // namespace da::observer
