#include "services/actuator/desktop/x11/input/keyboard/key_names.h"

#include <X11/keysym.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

static_assert(kShiftLeft == XK_Shift_L);

constexpr Keysym kUnicodeKeysyms = 0x01000000;

constexpr auto kNamed = std::to_array<std::pair<std::string_view, Keysym>>({
    {"enter", XK_Return},
    {"tab", XK_Tab},
    {"esc", XK_Escape},
    {"space", XK_space},
    {"backspace", XK_BackSpace},
    {"delete", XK_Delete},
    {"insert", XK_Insert},
    {"home", XK_Home},
    {"end", XK_End},
    {"pageup", XK_Prior},
    {"pagedown", XK_Next},
    {"up", XK_Up},
    {"down", XK_Down},
    {"left", XK_Left},
    {"right", XK_Right},
    {"ctrl", XK_Control_L},
    {"shift", XK_Shift_L},
    {"alt", XK_Alt_L},
    {"altgr", XK_ISO_Level3_Shift},
    {"win", XK_Super_L},
    {"menu", XK_Menu},
    {"capslock", XK_Caps_Lock},
    {"numlock", XK_Num_Lock},
    {"scrolllock", XK_Scroll_Lock},
    {"printscreen", XK_Print},
    {"pause", XK_Pause},
    {"plus", XK_plus},
    {"minus", XK_minus},
});

// "f1" to "f24"
std::optional<Keysym> function_key(std::string_view name) {
  if (name.size() < 2 || name.front() != 'f') return std::nullopt;
  unsigned number = 0;
  const auto parsed = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size() || number < 1 || number > 24)
    return std::nullopt;
  return XK_F1 + number - 1;
}

}  // namespace

std::optional<Keysym> keysym_of_character(char32_t character) {
  if (character == U'\n') return XK_Return;
  if (character == U'\t') return XK_Tab;
  if (character < 0x20 || (character >= 0x7f && character < 0xa0)) return std::nullopt;
  if (character <= 0xff) return static_cast<Keysym>(character);
  if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000)) return std::nullopt;
  return kUnicodeKeysyms + static_cast<Keysym>(character);
}

std::optional<Keysym> keysym_of_key(std::string_view name) {
  const auto* named = std::ranges::find(kNamed, name, &std::pair<std::string_view, Keysym>::first);
  if (named != kNamed.end()) return named->second;
  if (const auto function = function_key(name)) return function;
  const auto characters = decode_utf8(name);
  if (!characters || characters->size() != 1) return std::nullopt;
  return keysym_of_character(characters->front());
}

std::optional<std::string> name_of_keysym(Keysym keysym) {
  switch (keysym) {
    case XK_Control_L:
    case XK_Control_R: return "Ctrl";
    case XK_Shift_R: return "Shift";
    case XK_Alt_R:
    case XK_Meta_L:
    case XK_Meta_R: return "Alt";
    case XK_Super_R: return "win";
    case XK_Mode_switch: return "altgr";
    default: break;
  }
  const auto* named = std::ranges::find(kNamed, keysym, &std::pair<std::string_view, Keysym>::second);
  if (named != kNamed.end()) return std::string(named->first);
  if (keysym >= XK_F1 && keysym <= XK_F24) return "f" + std::to_string(keysym - XK_F1 + 1);
  if (keysym <= 0x20 || keysym > 0xff || (keysym >= 0x7f && keysym < 0xa0)) return std::nullopt;
  std::string text;
  append_utf8(text, keysym);
  return text;
}

}  // namespace da::actuator::x11
