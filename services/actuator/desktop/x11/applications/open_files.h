// The files that a program has at hand, from /proc. Any thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace da::actuator::x11 {

// Implements Applications::open_files(). Skips what lies under /usr, and the standard streams.
std::vector<std::string> open_files_of(std::uint32_t pid, const std::set<std::uint32_t>& others = {});

}  // namespace da::actuator::x11
