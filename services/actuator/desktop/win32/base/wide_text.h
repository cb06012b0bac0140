// Converts between UTF-8, which the project uses, and UTF-16, which Win32 uses. Only calls of Win32 see UTF-16. Pure;
// any thread.
#pragma once

#include <string>
#include <string_view>

namespace da::actuator::win32 {

// Each invalid sequence becomes U+FFFD.
std::wstring to_utf16(std::string_view utf8);
// Each lone surrogate becomes U+FFFD.
std::string to_utf8(std::wstring_view utf16);

void append_utf16(std::wstring& out, char32_t scalar);

}  // namespace da::actuator::win32
