// The files that a program has at hand, from the command lines of its processes. Any thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace da::actuator::win32 {

// Implements Applications::open_files(). Windows does not tell which files another process holds open.
std::vector<std::string> open_files_of(std::uint32_t pid, const std::set<std::uint32_t>& others = {});

}  // namespace da::actuator::win32
