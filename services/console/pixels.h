// Parses places from the command line. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "lib/base/geometry.h"

namespace da::console {

// "X,Y". Numbers are within +-100000.
std::optional<Point> parse_point(std::string_view text);

// "X,Y,WIDTH,HEIGHT", neither empty nor negative.
std::optional<Rect> parse_rect(std::string_view text);

}  // namespace da::console
