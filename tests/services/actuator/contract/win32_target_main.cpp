// The target program of the contract tests on Windows: a text field, a list, a button, and a pad that reports the
// pointer.
//
// contract_target DIRECTORY TITLE: writes to DIRECTORY "TITLE.events" (one event a line, see stage.h), "TITLE.text"
// (the text, after each change) and "TITLE.pad" (the pad's place on the desktop, once it shows).
#include <windows.h>
// Must be included after windows.h:
#include <shellapi.h>
#include <windowsx.h>

#include <cstdio>
#include <string>

namespace {

constexpr int kText = 101;
constexpr int kPress = 102;
constexpr int kPadTop = 150;

std::wstring path;
std::FILE* events = nullptr;
HWND text_field = nullptr;
WNDPROC edit_procedure = nullptr;

std::string to_utf8(const std::wstring& wide) {
  const int size =
      ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), static_cast<int>(wide.size()), nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(size), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), static_cast<int>(wide.size()), text.data(), size, nullptr, nullptr);
  return text;
}

void say(const std::string& event) {
  std::fprintf(events, "%s\n", event.c_str());
  std::fflush(events);
}

std::string place(HWND window, LPARAM at) {
  POINT point{GET_X_LPARAM(at), GET_Y_LPARAM(at)};
  ::ClientToScreen(window, &point);
  return std::to_string(point.x) + "," + std::to_string(point.y);
}

void replace_file(const std::wstring& suffix, const std::string& content) {
  std::FILE* file = ::_wfopen((path + L".new").c_str(), L"wb");
  std::fwrite(content.data(), 1, content.size(), file);
  std::fclose(file);
  ::MoveFileExW((path + L".new").c_str(), (path + suffix).c_str(), MOVEFILE_REPLACE_EXISTING);
}

void save_text() {
  std::wstring text(static_cast<std::size_t>(::GetWindowTextLengthW(text_field)) + 1, L'\0');
  text.resize(static_cast<std::size_t>(::GetWindowTextW(text_field, text.data(), static_cast<int>(text.size()))));
  std::erase(text, L'\r');
  replace_file(L".text", to_utf8(text));
}

void tell_pad(HWND window) {
  RECT client{};
  ::GetClientRect(window, &client);
  POINT origin{0, kPadTop};
  ::ClientToScreen(window, &origin);
  replace_file(L".pad", std::to_string(origin.x) + " " + std::to_string(origin.y) + " " + std::to_string(client.right) +
                            " " + std::to_string(client.bottom - kPadTop));
}

LRESULT CALLBACK on_edit_message(HWND window, UINT message, WPARAM first, LPARAM second) {
  if (message == WM_KEYDOWN && first == 'S' && ::GetKeyState(VK_CONTROL) < 0) say("chord ctrl+s");
  return ::CallWindowProcW(edit_procedure, window, message, first, second);
}

HWND add(HWND parent, const wchar_t* window_class, const wchar_t* text, DWORD style, RECT at, int id) {
  return ::CreateWindowExW(0, window_class, text, WS_CHILD | WS_VISIBLE | style, at.left, at.top, at.right, at.bottom,
                           parent, reinterpret_cast<HMENU>(static_cast<LONG_PTR>(id)), ::GetModuleHandleW(nullptr),
                           nullptr);
}

void create(HWND window) {
  add(window, L"Static", L"Text", 0, {10, 5, 100, 18}, 0);
  text_field = add(window, L"Edit", L"", WS_BORDER | WS_TABSTOP | ES_MULTILINE | ES_WANTRETURN | ES_AUTOVSCROLL,
                   {10, 25, 230, 80}, kText);
  ::SendMessageW(text_field, EM_SETLIMITTEXT, 1 << 20, 0);
  edit_procedure = reinterpret_cast<WNDPROC>(
      ::SetWindowLongPtrW(text_field, GWLP_WNDPROC, reinterpret_cast<LONG_PTR>(on_edit_message)));
  add(window, L"Static", L"Rows", 0, {250, 5, 100, 18}, 0);
  const HWND rows =
      add(window, L"ListBox", L"", WS_BORDER | WS_TABSTOP | WS_VSCROLL | LBS_NOTIFY, {250, 25, 220, 80}, 0);
  for (int row = 1; row <= 12; ++row) {
    ::SendMessageW(rows, LB_ADDSTRING, 0, reinterpret_cast<LPARAM>((L"Row " + std::to_wstring(row)).c_str()));
  }
  add(window, L"Button", L"Press", WS_TABSTOP, {10, 112, 100, 28}, kPress);
}

LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM first, LPARAM second) {
  const auto notch = [&] { return std::to_string(GET_WHEEL_DELTA_WPARAM(first) / WHEEL_DELTA); };
  switch (message) {
    case WM_CREATE: create(window); return 0;
    case WM_SETFOCUS: ::SetFocus(text_field); return 0;
    case WM_COMMAND:
      if (LOWORD(first) == kPress && HIWORD(first) == BN_CLICKED) say("pressed");
      if (LOWORD(first) == kText && HIWORD(first) == EN_CHANGE) save_text();
      return 0;
    case WM_LBUTTONDOWN:
      ::SetCapture(window);
      say("press left " + place(window, second));
      return 0;
    case WM_LBUTTONUP:
      say("release left " + place(window, second));
      ::ReleaseCapture();
      return 0;
    case WM_RBUTTONDOWN: say("press right " + place(window, second)); return 0;
    case WM_RBUTTONUP: say("release right " + place(window, second)); return 0;
    case WM_MBUTTONDOWN: say("press middle " + place(window, second)); return 0;
    case WM_MBUTTONUP: say("release middle " + place(window, second)); return 0;
    case WM_MOUSEMOVE: say("move " + place(window, second)); return 0;
    case WM_MOUSEWHEEL: say("wheel 0," + std::to_string(-GET_WHEEL_DELTA_WPARAM(first) / WHEEL_DELTA)); return 0;
    case WM_MOUSEHWHEEL: say("wheel " + notch() + ",0"); return 0;
    case WM_TIMER:
      ::KillTimer(window, 1);
      tell_pad(window);
      return 0;
    case WM_APP:  // The test's wish.
      ::MessageBoxW(window, L"Is this read?", L"Question", MB_OK);
      return 0;
    case WM_DESTROY: ::PostQuitMessage(0); return 0;
    default: return ::DefWindowProcW(window, message, first, second);
  }
}

}  // namespace

int WINAPI WinMain(HINSTANCE program, HINSTANCE, LPSTR, int) {
  int count = 0;
  wchar_t** words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (count < 3) return 2;
  const std::wstring title = words[2];
  path = std::wstring(words[1]) + L"\\" + title;
  events = ::_wfopen((path + L".events").c_str(), L"ab");
  if (events == nullptr) return 2;
  WNDCLASSEXW window_class{};
  window_class.cbSize = sizeof window_class;
  window_class.lpfnWndProc = on_message;
  window_class.hInstance = program;
  window_class.hCursor = ::LoadCursorW(nullptr, MAKEINTRESOURCEW(32512));  // The arrow.
  window_class.hbrBackground = reinterpret_cast<HBRUSH>(static_cast<LONG_PTR>(COLOR_BTNFACE + 1));
  window_class.lpszClassName = L"DesktopAssistContractTarget";
  ::RegisterClassExW(&window_class);
  const int shift = title == L"Target" ? 0 : 60;
  const HWND window = ::CreateWindowExW(0, window_class.lpszClassName, title.c_str(), WS_OVERLAPPEDWINDOW, 100 + shift,
                                        80 + shift, 500, 420, nullptr, nullptr, program, nullptr);
  ::ShowWindow(window, SW_SHOWNORMAL);
  ::SetForegroundWindow(window);
  ::SetTimer(window, 1, 100, nullptr);
  MSG message{};
  while (::GetMessageW(&message, nullptr, 0, 0) > 0) {
    ::TranslateMessage(&message);
    ::DispatchMessageW(&message);
  }
  return 0;
}
