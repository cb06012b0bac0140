// Names of protobuf enums as words for people. Pure; any thread.
#pragma once

#include <string>

namespace da::console {

// "KIND_NO_EFFECT" without "KIND_" is "no effect".
std::string enum_words(const std::string& name, const std::string& prefix);

}  // namespace da::console
