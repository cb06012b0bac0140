// Owners of Win32 handles: each closes its handle once.
#pragma once

#include <windows.h>

#include "lib/os/unique_handle.h"

namespace da::actuator::win32 {

// Processes, threads, tokens, jobs, mutexes, events, pipes. Files come from CreateFileW, whose failure is
// INVALID_HANDLE_VALUE: use file_handle().
struct KernelHandleTraits {
  using Handle = HANDLE;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::CloseHandle(handle); }
};
using UniqueKernelHandle = os::UniqueHandle<KernelHandleTraits>;

inline UniqueKernelHandle file_handle(HANDLE created) {
  return UniqueKernelHandle(created == INVALID_HANDLE_VALUE ? nullptr : created);
}

struct DesktopTraits {
  using Handle = HDESK;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::CloseDesktop(handle); }
};
using UniqueDesktop = os::UniqueHandle<DesktopTraits>;

struct HookTraits {
  using Handle = HHOOK;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::UnhookWindowsHookEx(handle); }
};
using UniqueHook = os::UniqueHandle<HookTraits>;

struct WinEventHookTraits {
  using Handle = HWINEVENTHOOK;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::UnhookWinEvent(handle); }
};
using UniqueWinEventHook = os::UniqueHandle<WinEventHookTraits>;

// The device context of the whole screen, from GetDC(nullptr).
struct ScreenDcTraits {
  using Handle = HDC;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::ReleaseDC(nullptr, handle); }
};
using UniqueScreenDc = os::UniqueHandle<ScreenDcTraits>;

struct MemoryDcTraits {
  using Handle = HDC;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::DeleteDC(handle); }
};
using UniqueMemoryDc = os::UniqueHandle<MemoryDcTraits>;

struct BitmapTraits {
  using Handle = HBITMAP;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::DeleteObject(handle); }
};
using UniqueBitmap = os::UniqueHandle<BitmapTraits>;

struct RegistryKeyTraits {
  using Handle = HKEY;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::RegCloseKey(handle); }
};
using UniqueRegistryKey = os::UniqueHandle<RegistryKeyTraits>;

// Memory for the clipboard. SetClipboardData takes it over: release() then.
struct GlobalMemoryTraits {
  using Handle = HGLOBAL;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::GlobalFree(handle); }
};
using UniqueGlobalMemory = os::UniqueHandle<GlobalMemoryTraits>;

}  // namespace da::actuator::win32
