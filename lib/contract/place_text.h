// Places in sentences. People and the policy read desktop pixels; a model knows the pixels of its image alone. So every
// sentence is written with desktop pixels, as place_text() has them, and is mapped once, where a model is told it.
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::contract {

// "at 400,300", in desktop pixels.
std::string place_text(Point desktop);

// The same in pixels of the image: "at 200,150". "outside the screen" where the image does not show it.
std::string place_text(const v1::CoordinateContract& image, Point desktop);

// The sentence with each of its places in pixels of the image. Text in quotation marks stays as it is: it is foreign,
// and not ours to map. Without an image (an empty contract) the places are left out, because they would mean nothing.
std::string places_in_image(const v1::CoordinateContract& image, std::string_view sentence);

}  // namespace da::contract
