// Bytes as text, as providers want images. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace da::planner::model {

// RFC 4648, section 4: with + and /, padded, on one line.
std::string base64(std::string_view bytes);

}  // namespace da::planner::model
