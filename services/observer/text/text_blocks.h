// Prepares pixels of an interface for OCR: all text black on white, whatever the colours of its surroundings. A dark
// side bar beside a light page, a coloured button and a selected row each have a polarity of their own. Pure; any
// thread.
//
// Interfaces are flat: text stands on regions of one colour, or of colours that change slowly. Pixels in no such region
// are ink; each connected piece of ink is drawn by its distance from the colour of the region around it. Rules, frames
// and edges between regions are left out. Pictures and other textures stay as they are, in grey.
#pragma once

#include <opencv2/core.hpp>

namespace da::observer {

// `bgra`: 8 bits, four channels. One grey channel of the same size.
cv::Mat black_on_white(const cv::Mat& bgra);

}  // namespace da::observer
