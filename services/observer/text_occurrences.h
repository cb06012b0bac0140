// Where in an element's text the words of a target stand. Pure; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"

namespace da::observer {

// The most that one request asks about.
inline constexpr std::size_t kMaxOccurrences = 64;

// From the first on, compared as names are (target.h): whatever the case, any white space as one space, whole words.
// Empty where there are none, or where the text is not UTF-8.
std::vector<v1::TextRange> occurrences(std::string_view text, std::string_view wanted);

}  // namespace da::observer
