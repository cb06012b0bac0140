// Bytes as Base64, for JSON. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace da::console {

std::string base64(std::string_view bytes);

}  // namespace da::console
