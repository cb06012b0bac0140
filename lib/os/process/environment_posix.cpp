#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "lib/os/process/environment.h"

namespace da::os {

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

void set_environment_variable(const std::string& name, const std::string& value) {
  ::setenv(name.c_str(), value.c_str(), 1);
}

// /proc/self/environ would still show the value after unsetenv().
void wipe_environment_variable(const std::string& name) {
  if (char* value = std::getenv(name.c_str())) ::explicit_bzero(value, std::strlen(value));
  ::unsetenv(name.c_str());
}

std::vector<std::string> environment_variable_names() {
  std::vector<std::string> names;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    names.emplace_back(variable.substr(0, variable.find('=')));
  }
  return names;
}

std::vector<std::string> program_arguments(int argc, const char* const* argv) {
  return argc > 1 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>();
}

}  // namespace da::os
