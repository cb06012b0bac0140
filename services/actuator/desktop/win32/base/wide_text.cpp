#include "services/actuator/desktop/win32/base/wide_text.h"

#include <windows.h>

namespace da::actuator::win32 {

std::wstring to_utf16(std::string_view utf8) {
  if (utf8.empty()) return {};
  const int size = static_cast<int>(utf8.size());
  std::wstring wide(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, wide.data(), static_cast<int>(wide.size()));
  return wide;
}

std::string to_utf8(std::wstring_view utf16) {
  if (utf16.empty()) return {};
  const int size = static_cast<int>(utf16.size());
  const int needed = ::WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(needed), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, utf16.data(), size, text.data(), needed, nullptr, nullptr);
  return text;
}

void append_utf16(std::wstring& out, char32_t scalar) {
  constexpr char32_t kFirstSupplementary = 0x10000;
  if (scalar < kFirstSupplementary) {
    out += static_cast<wchar_t>(scalar);
    return;
  }
  const char32_t offset = scalar - kFirstSupplementary;
  out += static_cast<wchar_t>(0xd800 + (offset >> 10));
  out += static_cast<wchar_t>(0xdc00 + (offset & 0x3ff));
}

}  // namespace da::actuator::win32
