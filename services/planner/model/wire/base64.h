// Base64, in which providers take images. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace da::planner::model {

// RFC 4648, section 4: with + and /, padded, on one line. The result starts with `before`, which saves a copy of the
// image.
std::string base64(std::string_view bytes, std::string_view before = {});

}  // namespace da::planner::model
