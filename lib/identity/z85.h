// Keys as printable text: 4 bytes become 5 characters (https://rfc.zeromq.org/spec/32). Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace da::identity {

// The length of `bytes` must be a multiple of 4.
std::string z85_encode(std::string_view bytes);

// nullopt if the text is not a result of z85_encode().
std::optional<std::string> z85_decode(std::string_view text);

}  // namespace da::identity
