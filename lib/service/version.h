// Version of all binaries, which are built together.
#pragma once

namespace da::service {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace da::service
