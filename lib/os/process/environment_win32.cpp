#include "lib/os/process/environment.h"

#include "lib/os/win32.h"

#include <shellapi.h>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace da::os {

std::optional<std::string> environment_variable(const std::string& name) {
  const std::wstring key = wide(name);
  std::wstring value(256, L'\0');
  while (true) {
    ::SetLastError(ERROR_SUCCESS);
    const DWORD size = ::GetEnvironmentVariableW(key.c_str(), value.data(), static_cast<DWORD>(value.size()));
    if (size == 0 && ::GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
    const bool fits = size < value.size();
    value.resize(size);
    if (!fits) continue;
    std::string text = narrow(value);
    ::SecureZeroMemory(value.data(), value.size() * sizeof(wchar_t));
    return text;
  }
}

void set_environment_variable(const std::string& name, const std::string& value) {
  ::_wputenv_s(wide(name).c_str(), wide(value).c_str());  // The C library's copy and the system's.
}

// Overwrites the C library's copy. The system does not show where it keeps its own: a value of the same length takes
// its place first.
void wipe_environment_variable(const std::string& name) {
  if (char* copy = std::getenv(name.c_str())) ::SecureZeroMemory(copy, std::strlen(copy));
  if (const auto value = environment_variable(name)) set_environment_variable(name, std::string(value->size(), '-'));
  ::_wputenv_s(wide(name).c_str(), L"");
  ::SetEnvironmentVariableW(wide(name).c_str(), nullptr);
}

std::vector<std::string> environment_variable_names() {
  std::vector<std::string> names;
  wchar_t* const block = ::GetEnvironmentStringsW();
  for (const wchar_t* each = block; each != nullptr && *each != L'\0'; each += std::wstring_view(each).size() + 1) {
    const std::wstring_view variable = each;
    // The current directory of each drive is kept as "=C:=C:\...".
    if (!variable.starts_with(L'=')) names.push_back(narrow(variable.substr(0, variable.find(L'='))));
  }
  if (block != nullptr) ::FreeEnvironmentStringsW(block);
  return names;
}

std::vector<std::string> program_arguments(int, const char* const*) {
  int count = 0;
  const std::unique_ptr<wchar_t*, decltype(&::LocalFree)> words(::CommandLineToArgvW(::GetCommandLineW(), &count),
                                                                &::LocalFree);
  std::vector<std::string> arguments;
  for (int i = 1; words && i < count; ++i) arguments.push_back(narrow(words.get()[i]));
  return arguments;
}

}  // namespace da::os
