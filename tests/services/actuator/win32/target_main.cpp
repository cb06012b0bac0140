// A program for the tests to drive. It appends what it receives to a file, one event a line:
//   "d1@10,20" button 1 pressed at this point of the desktop, "u1@..." released, "2..." double click counts as "d"
//   "m@10,20" pointer moved; "w120" wheel; "h120" wheel to the side
//   "k65" virtual key pressed; "r65" released; "c1F600" character (one line for each, surrogates joined)
//   "save", "subscribe 1", "close" from the controls of the dialog
//
// Usage: win32_target LOG MODE, with MODE: "input" (a window of four colours), "dialog", "edit" (one text field),
// "blink" (changes all the time), "slow" (as "input", but takes 10 ms for each character), "stay" (does not close),
// "hang" (does not answer any more), "print" (writes two lines and ends with status 7), "accessible" (windows of
// unknown classes that answer WM_GETOBJECT), "accessible-lies", "-slow", "-hangs", "-closes" (a window while it is
// read), "-renumbers" (gives a window another control id then), "-no-role", "-no-count", "-no-next", "-no-reset",
// "-no-interface" (this method of an object fails). The message WM_APP keeps its window busy for so many milliseconds.
#include <windows.h>
// Must be included after windows.h:
#include <objbase.h>
#include <shellapi.h>
#include <windowsx.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "tests/services/actuator/win32/target_accessible.h"

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

constexpr wchar_t kCanvasClass[] = L"DesktopAssistCanvas";

// Offers the object that a window property names.
LRESULT CALLBACK on_canvas_message(HWND window, UINT message, WPARAM first, LPARAM second) {
  const bool is_asked = message == WM_GETOBJECT && static_cast<LONG>(second) == OBJID_CLIENT;
  auto* const object = is_asked ? static_cast<target::Accessible*>(::GetPropW(window, L"object")) : nullptr;
  if (object != nullptr) return ::LresultFromObject(__uuidof(IAccessible), first, object);
  if (message == WM_LBUTTONDOWN) note_mouse("d1", window, second);
  const auto before = reinterpret_cast<WNDPROC>(::GetPropW(window, L"procedure"));
  if (before != nullptr) return ::CallWindowProcW(before, window, message, first, second);
  return ::DefWindowProcW(window, message, first, second);
}

HWND add_accessible(HWND parent, const wchar_t* window_class, const wchar_t* text, RECT place,
                    target::Accessible& object) {
  const HWND window = add(parent, window_class, text, 0, place);
  object.window = window;
  for (target::Accessible* each : object.children) {
    each->window = window;
    for (target::Accessible* below : each->children) below->window = window;
  }
  ::SetPropW(window, L"object", &object);
  if (std::wstring_view(window_class) != kCanvasClass) {
    ::SetPropW(window, L"procedure", reinterpret_cast<HANDLE>(::GetWindowLongPtrW(window, GWLP_WNDPROC)));
    ::SetWindowLongPtrW(window, GWLP_WNDPROC, reinterpret_cast<LONG_PTR>(on_canvas_message));
  }
  return window;
}

// An object's places are relative to its window.
void add_accessible_windows(HWND window) {
  static target::Accessible canvas;
  static target::Accessible rows;
  static target::Accessible row;
  static target::Accessible swatch;
  static target::Accessible secret;
  static target::Accessible notes;
  static target::Accessible closer;
  static target::Accessible edit;
  static target::Accessible safe;
  canvas.parts = {
      {ROLE_SYSTEM_PUSHBUTTON, L"Apply", L"", {10, 10, 80, 24}, STATE_SYSTEM_FOCUSABLE},
      {ROLE_SYSTEM_TEXT, L"City", L"Zürich", {10, 40, 120, 22}, STATE_SYSTEM_FOCUSABLE | STATE_SYSTEM_FOCUSED},
      {ROLE_SYSTEM_TEXT, L"PIN", L"hunter2", {10, 70, 120, 22}, STATE_SYSTEM_PROTECTED},
      {ROLE_SYSTEM_CHECKBUTTON, L"Subscribe", L"", {10, 100, 120, 22}, STATE_SYSTEM_CHECKED},
      {ROLE_SYSTEM_PUSHBUTTON, L"Disabled", L"", {10, 130, 80, 24}, STATE_SYSTEM_UNAVAILABLE},
      {ROLE_SYSTEM_PUSHBUTTON, L"Hidden", L"", {10, 160, 80, 24}, STATE_SYSTEM_INVISIBLE},
  };
  canvas.focused = 2;
  rows.self = {ROLE_SYSTEM_LIST, L"Rows", L"", {150, 10, 120, 60}, 0};
  constexpr long kScrolledOut = STATE_SYSTEM_INVISIBLE | STATE_SYSTEM_OFFSCREEN;
  rows.parts = {{ROLE_SYSTEM_LISTITEM, L"Row 1", L"", {150, 10, 120, 20}, STATE_SYSTEM_SELECTABLE},
                {ROLE_SYSTEM_LISTITEM, L"Row 2", L"", {150, 30, 120, 20}, STATE_SYSTEM_SELECTED},
                {ROLE_SYSTEM_LISTITEM, L"Row 9", L"", {150, 170, 120, 20}, STATE_SYSTEM_SELECTABLE | kScrolledOut}};
  row.self = {ROLE_SYSTEM_LISTITEM, L"Row 3", L"", {150, 50, 120, 20}, STATE_SYSTEM_SELECTABLE};
  row.parts = {{ROLE_SYSTEM_PUSHBUTTON, L"Delete", L"", {250, 50, 20, 20}, 0}};
  rows.children = {&row};
  static target::Ids row_ids(4);
  rows.ids = &row_ids;
  safe.self = {ROLE_SYSTEM_GROUPING, L"Safe", L"", {150, 80, 120, 40}, STATE_SYSTEM_PROTECTED};
  safe.parts = {{ROLE_SYSTEM_TEXT, L"hunter2", L"hunter2", {150, 80, 120, 20}, 0}};
  canvas.children = {&rows, &safe};
  edit.self = {ROLE_SYSTEM_TEXT, L"Key", L"hunter2", {0, 0, 100, 22}, 0};
  swatch.self = {ROLE_SYSTEM_PUSHBUTTON, L"Red", L"", {0, 0, 30, 30}, 0};
  secret.self = {ROLE_SYSTEM_TEXT, L"", L"hunter2", {0, 0, 100, 22}, STATE_SYSTEM_PROTECTED};
  notes.self = {ROLE_SYSTEM_TEXT, L"", L"remember", {0, 0, 100, 22}, 0};
  closer.self = {ROLE_SYSTEM_PUSHBUTTON, L"Close panel", L"", {0, 0, 40, 30}, 0};
  if (mode == L"accessible-slow") {
    canvas.parts.assign(200, canvas.parts.front());
    canvas.before_name = [] { ::Sleep(30); };
  }
  if (mode == L"accessible-hangs") canvas.before_name = target::pump_for_ever;
  if (mode == L"accessible-closes") rows.before_name = [] { ::DestroyWindow(canvas.window); };
  if (mode == L"accessible-renumbers") {
    canvas.before_name = [] {
      ::SetWindowLongPtrW(canvas.window, GWLP_ID, ::GetWindowLongPtrW(canvas.window, GWLP_ID) + 1);
    };
  }
  if (mode == L"accessible-no-role") secret.flaw = target::Flaw::kNoRole;
  if (mode == L"accessible-no-count") canvas.flaw = target::Flaw::kNoChildCount;
  if (mode == L"accessible-no-next") row_ids.flaw = target::Flaw::kNoNext;
  if (mode == L"accessible-no-reset") row_ids.flaw = target::Flaw::kNoReset;
  if (mode == L"accessible-no-interface") row.flaw = target::Flaw::kNoInterface;
  static target::Liar liar;
  const bool lies = mode == L"accessible-lies";
  first_control = add_accessible(window, kCanvasClass, L"", {10, 10, 280, 200}, lies ? liar : canvas);
  add_accessible(window, kCanvasClass, L"", {10, 220, 30, 30}, swatch);
  add(window, L"Static", L"&Code:", 0, {10, 260, 60, 20});
  add_accessible(window, kCanvasClass, L"hunter2", {80, 260, 100, 22}, secret);
  add(window, L"Static", L"&Notes:", 0, {10, 290, 60, 20});
  add_accessible(window, kCanvasClass, L"remember", {80, 290, 100, 22}, notes);
  add_accessible(window, L"Button", L"", {10, 320, 40, 30}, closer);
  ::SendMessageW(add_accessible(window, L"Edit", L"hunter2", {80, 320, 100, 22}, edit), EM_SETPASSWORDCHAR, L'*', 0);
}

void create(HWND window) {
  if (mode == L"dialog") add_controls(window);
  if (mode.starts_with(L"accessible")) add_accessible_windows(window);
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
      if (mode != L"dialog" && !mode.starts_with(L"accessible")) paint_colours(window);
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
    case WM_APP: ::Sleep(static_cast<DWORD>(first)); return 0;
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
  (void)::CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED);
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
  window_class.style = 0;
  window_class.lpfnWndProc = on_canvas_message;
  window_class.lpszClassName = kCanvasClass;
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
