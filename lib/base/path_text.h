// Paths as UTF-8 text. Windows reads the text of std::filesystem::path(std::string) in the process's code page, so
// every path that comes from a file, a flag or the environment goes through path_of(). Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace da {

std::filesystem::path path_of(std::string_view utf8);
std::string text_of(const std::filesystem::path& path);

}  // namespace da
