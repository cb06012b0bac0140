// Places in sentences. People and the policy read desktop pixels, a model knows only its image's. So sentences contain
// desktop pixels, in the form of place_text(), until they are mapped once for a model. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::contract {

// "at 400,300", in desktop pixels.
std::string place_text(Point desktop);

// Place in pixels of the image: "at 200,150", or "outside the screen" if the image does not show the point.
std::string place_text(const v1::CoordinateContract& image, Point desktop);

// Replaces each place of the sentence by its place in the image. Leaves text in quotation marks alone, because it is
// foreign. Without an image (an empty contract) it removes the places, because they would mean nothing.
std::string places_in_image(const v1::CoordinateContract& image, std::string_view sentence);

}  // namespace da::contract
