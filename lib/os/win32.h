// What our Windows sources share: errors, handles, and text. Only *_win32 files and desktop/win32 include this.
#pragma once

#include <windows.h>

#include <string>
#include <string_view>

#include "lib/base/error.h"
#include "lib/os/unique_handle.h"

namespace da::os {

// `number`: from GetLastError() or WSAGetLastError(). The system's message, in English where it has one.
Error windows_error(std::string_view attempted, DWORD number);

// INVALID_HANDLE_VALUE is invalid, as CreateFile returns it. Where a function returns a null handle, use to_handle().
struct HandleTraits {
  using Handle = HANDLE;
  static inline const HANDLE kInvalid = INVALID_HANDLE_VALUE;
  static void close(HANDLE handle) { ::CloseHandle(handle); }
};
using UniqueWinHandle = UniqueHandle<HandleTraits>;
inline UniqueWinHandle to_handle(HANDLE handle) {
  return UniqueWinHandle(handle == nullptr ? INVALID_HANDLE_VALUE : handle);
}

// UTF-8 and UTF-16. Invalid sequences become U+FFFD.
std::wstring wide(std::string_view utf8);
std::string narrow(std::wstring_view utf16);

}  // namespace da::os
