// Bytes as text, as providers want images. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace da::planner::model {

// RFC 4648, section 4: with + and /, padded, on one line.
// `before` stands before it, so that an image is not copied once more.
std::string base64(std::string_view bytes, std::string_view before = {});

}  // namespace da::planner::model
