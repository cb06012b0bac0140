#include "services/actuator/desktop/win32/screen/cursor_shapes.h"

#include <algorithm>
#include <cstdint>

#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

struct SystemCursor {
  WORD resource;  // IDC_ARROW and so on, as numbers.
  CursorShape shape;
};

constexpr SystemCursor kCursors[] = {
    {32512, CursorShape::kArrow},      // IDC_ARROW
    {32513, CursorShape::kText},       // IDC_IBEAM
    {32514, CursorShape::kBusy},       // IDC_WAIT
    {32515, CursorShape::kCross},      // IDC_CROSS
    {32642, CursorShape::kResize},     // IDC_SIZENWSE
    {32643, CursorShape::kResize},     // IDC_SIZENESW
    {32644, CursorShape::kResize},     // IDC_SIZEWE
    {32645, CursorShape::kResize},     // IDC_SIZENS
    {32646, CursorShape::kMove},       // IDC_SIZEALL
    {32648, CursorShape::kForbidden},  // IDC_NO
    {32649, CursorShape::kHand},       // IDC_HAND
    {32650, CursorShape::kBusy},       // IDC_APPSTARTING
    {32651, CursorShape::kHelp},       // IDC_HELP
};

// The resource of user32.dll that a cursor was loaded from; 0: another one.
WORD system_resource_of(HCURSOR cursor) {
  ICONINFOEXW info{};
  info.cbSize = sizeof info;
  if (!::GetIconInfoExW(cursor, &info)) return 0;
  const UniqueBitmap mask(info.hbmMask);
  const UniqueBitmap colour(info.hbmColor);
  const wchar_t* name = info.szModName;
  for (const wchar_t* c = name; *c != L'\0'; ++c) {
    if (*c == L'\\' || *c == L'/') name = c + 1;
  }
  return ::lstrcmpiW(name, L"user32.dll") == 0 ? info.wResID : WORD{0};
}

}  // namespace

CursorShape shape_of_cursor(HCURSOR cursor) {
  // Windows shares its own cursors among all processes.
  for (const SystemCursor& known : kCursors) {
    if (::LoadCursorW(nullptr, MAKEINTRESOURCEW(known.resource)) == cursor) return known.shape;
  }
  const auto found = std::ranges::find(kCursors, system_resource_of(cursor), &SystemCursor::resource);
  return found == std::end(kCursors) ? CursorShape::kUnknown : found->shape;
}

Result<CursorShape> current_cursor_shape() {
  CURSORINFO info{};
  info.cbSize = sizeof info;
  if (!::GetCursorInfo(&info)) return win32_error("ask for the cursor's shape", ::GetLastError());
  if ((info.flags & CURSOR_SHOWING) == 0 || info.hCursor == nullptr) return CursorShape::kUnknown;
  return shape_of_cursor(info.hCursor);
}

}  // namespace da::actuator::win32
