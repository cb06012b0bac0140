#include "services/actuator/desktop/win32/ui_tree/control_roles.h"

#include <windows.h>
// After windows.h:
#include <commctrl.h>

#include <algorithm>
#include <array>

namespace da::actuator::win32 {
namespace {

struct NamedClass {
  std::wstring_view window_class;
  ControlRole role;
};

constexpr ControlRole kContent{"text", true, true};
constexpr ControlRole kContainer{"panel", false, false};

constexpr auto kClasses = std::to_array<NamedClass>({
    {L"RichEdit20A", kContent},
    {L"RichEdit20W", kContent},
    {L"RICHEDIT50W", kContent},
    {L"RichEditD2DPT", kContent},
    {L"Scintilla", kContent},
    {L"ComboBox", {"combo box", true, true}},
    {L"ComboBoxEx32", {"combo box", true, true}},
    {L"ListBox", {"list box", true, false}},
    {L"ComboLBox", {"list box", false, false}},
    {L"SysListView32", {"table", true, false}},
    {L"SysTreeView32", {"tree", true, false}},
    {L"SysTabControl32", {"page tab list", false, false}},
    {L"SysHeader32", {"header", false, false}},
    {L"SysLink", {"link", false, false}},
    {L"SysDateTimePick32", {"date editor", true, true}},
    {L"SysMonthCal32", {"calendar", true, false}},
    {L"SysIPAddress32", {"text", true, true}},
    {L"msctls_progress32", {"progress bar", true, false}},
    {L"msctls_trackbar32", {"slider", true, false}},
    {L"msctls_updown32", {"spin button", true, false}},
    {L"msctls_hotkey32", {"text", true, true}},
    {L"msctls_statusbar32", {"status bar", false, false}},
    {L"ScrollBar", {"scroll bar", false, false}},
    {L"ToolbarWindow32", {"tool bar", false, false}},
    {L"ReBarWindow32", {"tool bar", false, false}},
    {L"MDIClient", {"panel", false, false}},
    {L"tooltips_class32", {"tool tip", false, false}},
    {L"#32768", {"popup menu", false, false}},
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
    case BS_AUTO3STATE: return {(style & BS_PUSHLIKE) != 0 ? "toggle button" : "check box", false, false};
    case BS_RADIOBUTTON:
    case BS_AUTORADIOBUTTON: return {(style & BS_PUSHLIKE) != 0 ? "toggle button" : "radio button", false, false};
    case BS_GROUPBOX: return {"panel", false, false};
    default: return {"push button", false, false};
  }
}

ControlRole static_role(std::uint32_t style) {
  switch (style & SS_TYPEMASK) {
    case SS_ICON:
    case SS_BITMAP:
    case SS_ENHMETAFILE: return {"image", false, false};
    case SS_ETCHEDHORZ:
    case SS_ETCHEDVERT: return {"separator", false, false};
    default: return {"label", false, false};
  }
}

}  // namespace

ControlRole control_role(std::wstring_view window_class, std::uint32_t style, Place place) {
  if (same_class(window_class, L"#32770")) return {place == Place::kTopLevel ? "dialog" : "panel", false, false};
  if (same_class(window_class, L"Button")) return button_role(style);
  if (same_class(window_class, L"Static")) return static_role(style);
  if (same_class(window_class, L"Edit")) {
    return (style & ES_PASSWORD) != 0 ? ControlRole{"password text", true, false} : kContent;
  }
  const auto* known = std::ranges::find_if(
      kClasses, [&](const NamedClass& each) { return same_class(each.window_class, window_class); });
  if (known != kClasses.end()) return known->role;
  return place == Place::kTopLevel ? ControlRole{"frame", false, false} : kContainer;
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
