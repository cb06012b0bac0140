// Finds the places where a region is similar to a template at a coarse level of its pyramid. Pure; any thread.
#pragma once

#include <vector>

#include "services/observer/analyse/templates/coarse_template.h"
#include "services/observer/analyse/templates/image_pyramid.h"

namespace da::observer {

struct CoarsePlace {
  Point at;          // Pixels of the region, of the template's top left corner; up to `reach` and half a cell wrong.
  double score = 0;  // Correlation of the cells.
};

// Local maxima above this score, best first; at most `most`. If there are fewer than `always`, the best of any score.
std::vector<CoarsePlace> coarse_places(const frames::PixelView& level, const CoarseTemplate& wanted, double least_score,
                                       std::size_t most, std::size_t always);

}  // namespace da::observer
