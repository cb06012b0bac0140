// Finds the words of a target in an element's text. Pure; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"

namespace da::observer {

// The most ranges of one TextPlacesRequest.
inline constexpr std::size_t kMaxOccurrences = 64;

// The first kMaxOccurrences, compared like names (located_target.h): whole words, ignoring case, all white space equal.
// Empty if there are none or the text is not UTF-8.
std::vector<v1::TextRange> occurrences(std::string_view text, std::string_view wanted);

}  // namespace da::observer
