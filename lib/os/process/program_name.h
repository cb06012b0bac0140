// Names of programs, as people write them in rules, masks and secrets. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace da::os {

// The file name in the path of an executable. On Windows, where names differ in case only by accident, it is in lower
// case and without ".exe", so that one rule fits both systems.
std::string program_name(std::string_view executable);

// Whether `wanted`, a program's name or the absolute path of its executable, means this one.
bool is_program(std::string_view wanted, std::string_view executable);

}  // namespace da::os
