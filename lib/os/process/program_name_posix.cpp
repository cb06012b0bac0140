#include "lib/os/process/program_name.h"

namespace da::os {

std::string program_name(std::string_view executable) {
  return std::string(executable.substr(executable.rfind('/') + 1));
}

bool is_program(std::string_view wanted, std::string_view executable) {
  if (executable.empty()) return false;
  return wanted.find('/') != std::string_view::npos ? wanted == executable : wanted == program_name(executable);
}

}  // namespace da::os
