#include "lib/contract/keys.h"

#include <algorithm>
#include <array>

#include "lib/base/text.h"

namespace da::contract {
namespace {

constexpr std::array<std::string_view, 52> kNamed = {
    "enter",  "tab",      "esc",  "space",    "backspace", "delete",     "insert",      "home",  "end",
    "pageup", "pagedown", "up",   "down",     "left",      "right",      "ctrl",        "shift", "alt",
    "altgr",  "win",      "menu", "capslock", "numlock",   "scrolllock", "printscreen", "pause", "f1",
    "f2",     "f3",       "f4",   "f5",       "f6",        "f7",         "f8",          "f9",    "f10",
    "f11",    "f12",      "f13",  "f14",      "f15",       "f16",        "f17",         "f18",   "f19",
    "f20",    "f21",      "f22",  "f23",      "f24",       "plus",       "minus"};

// Alias, canonical name, alias, ... Includes X11's names, which models use too, and pyautogui's, for rule profiles.
constexpr std::string_view kAliases[] = {
    "return",       "enter",       "escape",    "esc",         "del",         "delete",     "ins",        "insert",
    "pgup",         "pageup",      "page_up",   "pageup",      "pgdn",        "pagedown",   "page_down",  "pagedown",
    "control",      "ctrl",        "ctl",       "ctrl",        "super",       "win",        "windows",    "win",
    "cmd",          "win",         "meta",      "win",         "option",      "alt",        "arrowup",    "up",
    "arrowdown",    "down",        "arrowleft", "left",        "arrowright",  "right",      "spacebar",   "space",
    "caps_lock",    "capslock",    "num_lock",  "numlock",     "scroll_lock", "scrolllock", "print",      "printscreen",
    "print_screen", "printscreen", "prtsc",     "printscreen", "apps",        "menu",       "break",      "pause",
    "prior",        "pageup",      "next",      "pagedown",    "kp_enter",    "enter",      "control_l",  "ctrl",
    "control_r",    "ctrl",        "shift_l",   "shift",       "shift_r",     "shift",      "alt_l",      "alt",
    "super_l",      "win",         "super_r",   "win",         "period",      ".",          "comma",      ",",
    "slash",        "/",           "backslash", "\\",          "semicolon",   ";",          "equal",      "=",
    "ctrlleft",     "ctrl",        "ctrlright", "ctrl",        "shiftleft",   "shift",      "shiftright", "shift",
    "altleft",      "alt",         "altright",  "alt",         "winleft",     "win",        "winright",   "win",
    "prntscrn",     "printscreen", "prtscr",    "printscreen", "add",         "plus",       "subtract",   "minus",
    "multiply",     "*",           "divide",    "/",           "decimal",     "."};

}  // namespace

std::optional<std::string> canonical_key(std::string_view name) {
  const std::string folded = fold_case(name);
  if (const auto scalars = decode_utf8(folded); scalars && scalars->size() == 1) {
    const char32_t c = scalars->front();
    if (c == ' ') return "space";
    if (c == '+') return "plus";
    if (c == '-') return "minus";
    if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return std::nullopt;
    return folded;
  }
  if (std::ranges::find(kNamed, folded) != kNamed.end()) return folded;
  for (std::size_t i = 0; i < std::size(kAliases); i += 2) {
    if (kAliases[i] == folded) return std::string(kAliases[i + 1]);
  }
  return std::nullopt;
}

bool is_modifier(std::string_view key) {
  return key == "ctrl" || key == "shift" || key == "alt" || key == "altgr" || key == "win";
}

std::span<const std::string_view> named_keys() { return kNamed; }

}  // namespace da::contract
