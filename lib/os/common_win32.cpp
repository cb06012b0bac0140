#include "lib/os/win32.h"

namespace da::os {
namespace {

Code code_of(DWORD number) {
  switch (number) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_DIRECTORY: return Code::kNotFound;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return Code::kAlreadyExists;
    case ERROR_ACCESS_DENIED: return Code::kPermissionDenied;
    case ERROR_INVALID_PARAMETER: return Code::kInvalidArgument;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_TOO_MANY_OPEN_FILES: return Code::kResourceExhausted;
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: return Code::kUnavailable;
    default: return Code::kInternal;
  }
}

std::string message_of(DWORD number) {
  constexpr DWORD kFlags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
  wchar_t text[512];
  DWORD size =
      ::FormatMessageW(kFlags, nullptr, number, MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US), text, 512, nullptr);
  if (size == 0) size = ::FormatMessageW(kFlags, nullptr, number, 0, text, 512, nullptr);
  while (size > 0 && (text[size - 1] <= L' ' || text[size - 1] == L'.')) --size;
  return (size == 0 ? "error" : narrow({text, size})) + " (" + std::to_string(number) + ")";
}

}  // namespace

Error windows_error(std::string_view attempted, DWORD number) {
  return {code_of(number), std::string(attempted) + ": " + message_of(number)};
}

std::wstring wide(std::string_view utf8) {
  const int size = static_cast<int>(utf8.size());
  std::wstring text(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, text.data(), static_cast<int>(text.size()));
  return text;
}

std::string narrow(std::wstring_view utf16) {
  const int size = static_cast<int>(utf16.size());
  const int needed = ::WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(needed), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, text.data(), needed, nullptr, nullptr);
  return text;
}

}  // namespace da::os
