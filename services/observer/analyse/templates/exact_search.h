// Finds the places where all pixels of a template are equal. It searches one piece of a row, the one with the most
// changes of colour, and compares the rest of the template only where that piece is. Pure; any thread.
#pragma once

#include <vector>

#include "services/observer/analyse/templates/template_pixels.h"

namespace da::observer {

// Returns at most `most` places, in reading order. Leaves out those that overlap an earlier one by half or more.
std::vector<Point> find_exact(const frames::PixelView& region, const TemplatePixels& wanted, std::size_t most);

}  // namespace da::observer
