#include "lib/base/text.h"
#include "lib/os/process/program_name.h"

namespace da::os {
namespace {

constexpr std::string_view kSeparators = "/\\:";

// Both separators mean the same, and so do upper and lower case.
std::string canonical(std::string_view path) {
  std::string text = fold_case(path);
  for (char& c : text) {
    if (c == '/') c = '\\';
  }
  return text;
}

}  // namespace

std::string program_name(std::string_view executable) {
  const std::size_t separator = executable.find_last_of(kSeparators);
  std::string name = fold_case(separator == std::string_view::npos ? executable : executable.substr(separator + 1));
  // CreateProcess ignores dots and spaces at the end.
  while (name.ends_with('.') || name.ends_with(' ')) name.pop_back();
  if (name.ends_with(".exe")) name.resize(name.size() - 4);
  return name;
}

bool is_program(std::string_view wanted, std::string_view executable) {
  if (executable.empty()) return false;
  if (wanted.find_first_of(kSeparators) != std::string_view::npos) return canonical(wanted) == canonical(executable);
  return program_name(wanted) == program_name(executable);
}

}  // namespace da::os
