#include "services/actuator/desktop/win32/ui_tree/control_roles.h"

#include <windows.h>
// windows.h must come first:
#include <commctrl.h>

#include <algorithm>
#include <array>

#include "lib/contract/evidence/roles.h"

namespace da::actuator::win32 {
namespace {

using contract::role;

struct NamedClass {
  std::wstring_view window_class;
  ControlRole role;
};

constexpr ControlRole kContent{role("text"), true, true};

constexpr auto kClasses = std::to_array<NamedClass>({
    {L"Scintilla", kContent},
    {L"ComboBox", {role("combo box"), true, true}},
    {L"ComboBoxEx32", {role("combo box"), true, true}},
    {L"ListBox", {role("list box"), true, false}},
    {L"ComboLBox", {role("list box"), false, false}},
    {L"SysListView32", {role("table"), true, false}},
    {L"SysTreeView32", {role("tree"), true, false}},
    {L"SysTabControl32", {role("page tab list"), false, false}},
    {L"SysHeader32", {role("header"), false, false}},
    {L"SysLink", {role("link"), false, false}},
    {L"SysDateTimePick32", {role("date editor"), true, true}},
    {L"SysMonthCal32", {role("calendar"), true, false}},
    {L"SysIPAddress32", {role("text"), true, true}},
    {L"msctls_progress32", {role("progress bar"), true, false}},
    {L"msctls_trackbar32", {role("slider"), true, false}},
    {L"msctls_updown32", {role("spin button"), true, false}},
    {L"msctls_hotkey32", {role("text"), true, true}},
    {L"msctls_statusbar32", {role("status bar"), false, false}},
    {L"ScrollBar", {role("scroll bar"), false, false}},
    {L"ToolbarWindow32", {role("tool bar"), false, false}},
    {L"ReBarWindow32", {role("tool bar"), false, false}},
    {L"MDIClient", {role("panel"), false, false}},
    {L"tooltips_class32", {role("tool tip"), false, false}},
    {L"#32768", {role("popup menu"), false, false}},
});

bool same_class(std::wstring_view a, std::wstring_view b) {
  return ::CompareStringOrdinal(a.data(), static_cast<int>(a.size()), b.data(), static_cast<int>(b.size()), TRUE) ==
         CSTR_EQUAL;
}

ControlRole button_role(std::uint32_t style) {
  switch (style & BS_TYPEMASK) {
    case BS_CHECKBOX:
    case BS_AUTOCHECKBOX:
    case BS_3STATE:
    case BS_AUTO3STATE: return {(style & BS_PUSHLIKE) != 0 ? role("toggle button") : role("check box"), false, false};
    case BS_RADIOBUTTON:
    case BS_AUTORADIOBUTTON:
      return {(style & BS_PUSHLIKE) != 0 ? role("toggle button") : role("radio button"), false, false};
    case BS_GROUPBOX: return {role("panel"), false, false};
    default: return {role("push button"), false, false};
  }
}

ControlRole static_role(std::uint32_t style) {
  switch (style & SS_TYPEMASK) {
    case SS_ICON:
    case SS_BITMAP:
    case SS_ENHMETAFILE: return {role("image"), false, false};
    case SS_ETCHEDHORZ:
    case SS_ETCHEDVERT: return {role("separator"), false, false};
    default: return {role("label"), false, false};
  }
}

}  // namespace

ControlRole control_role(std::wstring_view window_class, std::uint32_t style, Place place) {
  if (same_class(window_class, L"#32770"))
    return {place == Place::kTopLevel ? role("dialog") : role("panel"), false, false};
  if (same_class(window_class, L"Button")) return button_role(style);
  if (same_class(window_class, L"Static")) return static_role(style);
  if (is_edit(window_class)) {
    return (style & ES_PASSWORD) != 0 ? ControlRole{"password text", true, false} : kContent;
  }
  const auto* known = std::ranges::find_if(
      kClasses, [&](const NamedClass& each) { return same_class(each.window_class, window_class); });
  if (known != kClasses.end()) return known->role;
  return {place == Place::kTopLevel ? role("frame") : role("panel"), false, false, false};
}

bool is_edit(std::wstring_view window_class) {
  constexpr std::array<std::wstring_view, 5> kEdits{L"Edit", L"RichEdit20A", L"RichEdit20W", L"RICHEDIT50W",
                                                    L"RichEditD2DPT"};
  return std::ranges::any_of(kEdits, [&](std::wstring_view each) { return same_class(each, window_class); });
}

std::wstring without_access_key(std::wstring_view text) {
  std::wstring plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == L'&' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

}  // namespace da::actuator::win32
