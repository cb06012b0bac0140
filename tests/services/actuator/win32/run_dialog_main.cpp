// Stands in for Explorer under Wine, which has no Win+R: opens shell32's Run dialog by that chord until it is ended.
// Usage: win32_run_dialog FILE; it creates the file once it listens.
#include <windows.h>
// Must be included after windows.h:
#include <shellapi.h>

#include <cstdio>

namespace {

// Exported without a name.
using RunFileDialog = void(WINAPI*)(HWND owner, HICON icon, LPCWSTR directory, LPCWSTR title, LPCWSTR text,
                                    DWORD flags);
constexpr WORD kRunFileDialog = 61;

}  // namespace

int WINAPI WinMain(HINSTANCE, HINSTANCE, LPSTR, int) {
  int count = 0;
  wchar_t** words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  const HMODULE shell = ::LoadLibraryW(L"shell32.dll");
  if (count < 2 || shell == nullptr) return 2;
  const auto open = reinterpret_cast<RunFileDialog>(
      reinterpret_cast<void*>(::GetProcAddress(shell, MAKEINTRESOURCEA(kRunFileDialog))));
  if (open == nullptr || !::RegisterHotKey(nullptr, 1, MOD_WIN, 'R')) return 3;
  std::FILE* ready = ::_wfopen(words[1], L"wb");
  if (ready == nullptr) return 4;
  std::fclose(ready);
  MSG message{};
  while (::GetMessageW(&message, nullptr, 0, 0) > 0) {
    if (message.message == WM_HOTKEY) open(nullptr, nullptr, nullptr, nullptr, nullptr, 0);
  }
  return 0;
}
