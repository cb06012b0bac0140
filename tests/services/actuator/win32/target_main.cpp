// A program for the tests to drive. It appends what it receives to a file, one event a line:
//   "d1@10,20" button 1 pressed at this point of the desktop, "u1@..." released, "2..." double click counts as "d"
//   "m@10,20" pointer moved; "w120" wheel; "h120" wheel to the side
//   "k65" virtual key pressed; "r65" released; "c1F600" character (one line for each, surrogates joined)
//   "save", "subscribe 1", "close" from the controls of the dialog
//
// Usage: win32_target LOG MODE, with MODE: "input" (a window of four colours), "dialog", "edit" (one text field),
// "blink" (changes all the time), "slow" (as "input", but takes 10 ms for each character), "stay" (does not close),
// "hang" (does not answer any more), "print" (writes two lines and ends with status 7).
#include <windows.h>
// After windows.h:
#include <shellapi.h>
#include <windowsx.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

std::FILE* log_file = nullptr;
std::wstring mode;
HWND first_control = nullptr;

enum Control : int { kName = 101, kPassword, kSubscribe, kFirst, kSecond, kList, kChoice, kNotes, kSave, kCancel };

template <class... Values>
void note(const char* format, Values... values) {
  std::fprintf(log_file, format, values...);
  std::fputc('\n', log_file);
  std::fflush(log_file);
}

void note_mouse(const char* what, HWND window, LPARAM at) {
  POINT point{GET_X_LPARAM(at), GET_Y_LPARAM(at)};
  ::ClientToScreen(window, &point);
  note("%s@%ld,%ld", what, point.x, point.y);
}

void note_character(WPARAM unit) {
  static WPARAM high = 0;
  if (unit >= 0xd800 && unit < 0xdc00) {
    high = unit;
    return;
  }
  const bool low = unit >= 0xdc00 && unit < 0xe000;
  const auto character = low ? 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00) : unit;
  note("c%X", static_cast<unsigned>(character));
}

void paint_colours(HWND window) {
  PAINTSTRUCT paint{};
  const HDC dc = ::BeginPaint(window, &paint);
  RECT client{};
  ::GetClientRect(window, &client);
  const LONG x = client.right / 2;
  const LONG y = client.bottom / 2;
  const RECT parts[] = {
      {0, 0, x, y}, {x, 0, client.right, y}, {0, y, x, client.bottom}, {x, y, client.right, client.bottom}};
  const COLORREF colours[] = {RGB(255, 0, 0), RGB(0, 255, 0), RGB(0, 0, 255), RGB(255, 255, 0)};
  static unsigned turn = 0;
  if (mode == L"blink") ++turn;
  for (unsigned i = 0; i < 4; ++i) {
    const HBRUSH brush = ::CreateSolidBrush(colours[(i + turn) % 4]);
    ::FillRect(dc, &parts[i], brush);
    ::DeleteObject(brush);
  }
  ::EndPaint(window, &paint);
}

HWND add(HWND parent, const wchar_t* window_class, const wchar_t* text, DWORD style, RECT place, int id = 0) {
  return ::CreateWindowExW(0, window_class, text, WS_CHILD | WS_VISIBLE | style, place.left, place.top, place.right,
                           place.bottom, parent, reinterpret_cast<HMENU>(static_cast<LONG_PTR>(id)),
                           ::GetModuleHandleW(nullptr), nullptr);
}

// Places are x, y, width, height.
void add_controls(HWND window) {
  add(window, L"Static", L"&Name:", 0, {10, 10, 90, 20});
  first_control = add(window, L"Edit", L"Ada é 漢", WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL, {100, 10, 180, 22}, kName);
  add(window, L"Static", L"Pass&word:", 0, {10, 40, 90, 20});
  add(window, L"Edit", L"hunter2", WS_BORDER | WS_TABSTOP | ES_PASSWORD, {100, 40, 180, 22}, kPassword);
  add(window, L"Button", L"&Subscribe", WS_TABSTOP | BS_AUTOCHECKBOX, {10, 70, 200, 22}, kSubscribe);
  add(window, L"Button", L"Speed", BS_GROUPBOX, {10, 95, 270, 50});
  add(window, L"Button", L"&First", WS_GROUP | WS_TABSTOP | BS_AUTORADIOBUTTON, {20, 115, 80, 22}, kFirst);
  add(window, L"Button", L"S&econd", BS_AUTORADIOBUTTON, {110, 115, 80, 22}, kSecond);
  const HWND list =
      add(window, L"ListBox", L"", WS_BORDER | WS_TABSTOP | WS_VSCROLL | LBS_NOTIFY, {10, 150, 130, 90}, kList);
  for (int i = 1; i <= 30; ++i) {
    ::SendMessageW(list, LB_ADDSTRING, 0, reinterpret_cast<LPARAM>((L"Row " + std::to_wstring(i)).c_str()));
  }
  const HWND choice = add(window, L"ComboBox", L"", WS_TABSTOP | CBS_DROPDOWNLIST, {150, 150, 130, 120}, kChoice);
  for (const wchar_t* each : {L"Red", L"Green"}) {
    ::SendMessageW(choice, CB_ADDSTRING, 0, reinterpret_cast<LPARAM>(each));
  }
  ::SendMessageW(choice, CB_SETCURSEL, 1, 0);
  add(window, L"Edit", L"", WS_BORDER | WS_TABSTOP | ES_MULTILINE | ES_WANTRETURN, {10, 250, 270, 50}, kNotes);
  add(window, L"Button", L"S&ave && close", WS_TABSTOP | BS_DEFPUSHBUTTON, {10, 310, 130, 26}, kSave);
  ::EnableWindow(add(window, L"Button", L"Cancel", WS_TABSTOP, {150, 310, 130, 26}, kCancel), FALSE);
  if (::LoadLibraryW(L"riched20.dll") != nullptr) {
    add(window, L"Static", L"&Remarks:", 0, {10, 342, 90, 20});
    add(window, L"RichEdit20W", L"", WS_BORDER | WS_TABSTOP | ES_MULTILINE, {100, 340, 180, 24});
  }
}

void create(HWND window) {
  if (mode == L"dialog") add_controls(window);
  if (mode == L"edit") {
    RECT client{};
    ::GetClientRect(window, &client);
    first_control = add(window, L"Edit", L"", ES_MULTILINE | ES_WANTRETURN | ES_AUTOVSCROLL | WS_VSCROLL,
                        {0, 0, client.right, client.bottom}, kNotes);
    ::SendMessageW(first_control, EM_SETLIMITTEXT, 1 << 20, 0);
  }
  if (mode == L"blink") ::SetTimer(window, 1, 20, nullptr);
  if (mode == L"hang") ::SetTimer(window, 2, 300, nullptr);
}

void command(HWND window, WPARAM which) {
  if (LOWORD(which) == kSave) note("save");
  if (LOWORD(which) == kSubscribe) note("subscribe %d", static_cast<int>(::IsDlgButtonChecked(window, kSubscribe)));
}

LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM first, LPARAM second) {
  switch (message) {
    case WM_CREATE: create(window); return 0;
    case WM_COMMAND: command(window, first); return 0;
    case WM_SETFOCUS:
      if (first_control != nullptr) ::SetFocus(first_control);
      return 0;
    case WM_TIMER:
      if (first == 2) ::Sleep(INFINITE);
      ::InvalidateRect(window, nullptr, FALSE);
      return 0;
    case WM_PAINT:
      if (mode != L"dialog") paint_colours(window);
      break;
    case WM_LBUTTONDBLCLK:
    case WM_LBUTTONDOWN: note_mouse("d1", window, second); return 0;
    case WM_LBUTTONUP: note_mouse("u1", window, second); return 0;
    case WM_RBUTTONDBLCLK:
    case WM_RBUTTONDOWN: note_mouse("d2", window, second); return 0;
    case WM_RBUTTONUP: note_mouse("u2", window, second); return 0;
    case WM_MBUTTONDOWN: note_mouse("d3", window, second); return 0;
    case WM_MBUTTONUP: note_mouse("u3", window, second); return 0;
    case WM_MOUSEMOVE: note_mouse("m", window, second); return 0;
    case WM_MOUSEWHEEL: note("w%d", GET_WHEEL_DELTA_WPARAM(first)); return 0;
    case WM_MOUSEHWHEEL: note("h%d", GET_WHEEL_DELTA_WPARAM(first)); return 0;
    case WM_SYSKEYDOWN:
    case WM_KEYDOWN: note("k%d", static_cast<int>(first)); break;
    case WM_SYSKEYUP:
    case WM_KEYUP: note("r%d", static_cast<int>(first)); break;
    case WM_CHAR:
      if (mode == L"slow") ::Sleep(10);
      note_character(first);
      return 0;
    case WM_CLOSE:
      note("close");
      if (mode == L"stay") return 0;
      break;
    case WM_DESTROY: ::PostQuitMessage(0); return 0;
    default: break;
  }
  return ::DefWindowProcW(window, message, first, second);
}

int print_and_end() {
  const HANDLE output = ::GetStdHandle(STD_OUTPUT_HANDLE);
  constexpr std::string_view kLines = "first line\nlast line é\n";
  DWORD written = 0;
  ::WriteFile(output, kLines.data(), static_cast<DWORD>(kLines.size()), &written, nullptr);
  return 7;
}

}  // namespace

int WINAPI WinMain(HINSTANCE program, HINSTANCE, LPSTR, int) {
  int count = 0;
  wchar_t** words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (count < 3) return 2;
  mode = words[2];
  if (mode == L"print") return print_and_end();
  log_file = ::_wfopen(words[1], L"ab");
  if (log_file == nullptr) return 2;
  WNDCLASSEXW window_class{};
  window_class.cbSize = sizeof window_class;
  window_class.style = CS_DBLCLKS;
  window_class.lpfnWndProc = on_message;
  window_class.hInstance = program;
  window_class.hCursor = ::LoadCursorW(nullptr, MAKEINTRESOURCEW(32512));  // The arrow.
  window_class.hbrBackground = reinterpret_cast<HBRUSH>(static_cast<LONG_PTR>(COLOR_BTNFACE + 1));
  window_class.lpszClassName = L"DesktopAssistTarget";
  ::RegisterClassExW(&window_class);
  const bool is_dialog = mode == L"dialog";
  const HWND window =
      ::CreateWindowExW(0, L"DesktopAssistTarget", (L"Target é " + mode).c_str(), WS_OVERLAPPEDWINDOW, 120, 60,
                        is_dialog ? 320 : 900, is_dialog ? 400 : 600, nullptr, nullptr, program, nullptr);
  ::ShowWindow(window, SW_SHOWNORMAL);
  ::SetForegroundWindow(window);
  MSG message{};
  while (::GetMessageW(&message, nullptr, 0, 0) > 0) {
    if (is_dialog && ::IsDialogMessageW(window, &message)) continue;
    ::TranslateMessage(&message);
    ::DispatchMessageW(&message);
  }
  return 0;
}
