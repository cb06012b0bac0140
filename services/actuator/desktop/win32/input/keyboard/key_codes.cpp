#include "services/actuator/desktop/win32/input/keyboard/key_codes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "lib/base/text.h"

namespace da::actuator::win32 {
namespace {

struct NamedKey {
  std::string_view name;
  WORD virtual_key;
};

constexpr auto kNamed = std::to_array<NamedKey>({
    {"enter", VK_RETURN},
    {"tab", VK_TAB},
    {"esc", VK_ESCAPE},
    {"space", VK_SPACE},
    {"backspace", VK_BACK},
    {"delete", VK_DELETE},
    {"insert", VK_INSERT},
    {"home", VK_HOME},
    {"end", VK_END},
    {"pageup", VK_PRIOR},
    {"pagedown", VK_NEXT},
    {"up", VK_UP},
    {"down", VK_DOWN},
    {"left", VK_LEFT},
    {"right", VK_RIGHT},
    {"ctrl", VK_LCONTROL},
    {"shift", VK_LSHIFT},
    {"alt", VK_LMENU},
    {"altgr", VK_RMENU},
    {"win", VK_LWIN},
    {"menu", VK_APPS},
    {"capslock", VK_CAPITAL},
    {"numlock", VK_NUMLOCK},
    {"scrolllock", VK_SCROLL},
    {"printscreen", VK_SNAPSHOT},
    {"pause", VK_PAUSE},
});

// Keys that a keyboard sends with the prefix E0. MapVirtualKeyEx tells it for some of them only.
constexpr auto kExtended =
    std::to_array<WORD>({VK_DELETE, VK_INSERT, VK_HOME, VK_END, VK_PRIOR, VK_NEXT, VK_UP, VK_DOWN, VK_LEFT, VK_RIGHT,
                         VK_RMENU, VK_RCONTROL, VK_LWIN, VK_RWIN, VK_APPS, VK_NUMLOCK, VK_SNAPSHOT, VK_DIVIDE});

// "f1" to "f24"
std::optional<WORD> function_key(std::string_view name) {
  if (name.size() < 2 || name.front() != 'f') return std::nullopt;
  unsigned number = 0;
  const auto parsed = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == name.data() + name.size();
  if (!whole || number < 1 || number > 24) return std::nullopt;
  return static_cast<WORD>(VK_F1 + number - 1);
}

std::optional<char32_t> character_of(std::string_view name) {
  if (name == "plus") return U'+';
  if (name == "minus") return U'-';
  const auto characters = decode_utf8(name);
  return characters && characters->size() == 1 ? std::optional(characters->front()) : std::nullopt;
}

// Shortcuts such as ctrl+c are bound to the virtual key, which exists even where the layout has no such character, as
// on a Cyrillic keyboard.
std::optional<KeyPress> letter_or_digit(char32_t character, HKL layout) {
  if (character >= U'a' && character <= U'z')
    return KeyPress{key_code(static_cast<WORD>(character - U'a' + 'A'), layout), {}};
  if (character >= U'0' && character <= U'9') return KeyPress{key_code(static_cast<WORD>(character), layout), {}};
  return std::nullopt;
}

std::optional<KeyPress> key_of_character(char32_t character, HKL layout) {
  // A key gives one unit of UTF-16.
  if (character > 0xffff) return std::nullopt;
  const SHORT found = ::VkKeyScanExW(static_cast<WCHAR>(character), layout);
  if (found == -1) return letter_or_digit(character, layout);
  const auto bits = static_cast<unsigned>(static_cast<unsigned short>(found));
  const unsigned state = bits >> 8;
  enum : unsigned { kShift = 1, kControl = 2, kAlt = 4, kOthers = ~7U };
  if ((state & kOthers) != 0) return std::nullopt;
  KeyPress press{key_code(static_cast<WORD>(bits & 0xff), layout), {}};
  if ((state & kShift) != 0) press.modifiers.push_back(key_code(VK_LSHIFT, layout));
  if ((state & (kControl | kAlt)) == (kControl | kAlt)) {
    press.modifiers.push_back(key_code(VK_RMENU, layout));
  } else if ((state & (kControl | kAlt)) != 0) {
    return letter_or_digit(character, layout);
  }
  return press;
}

}  // namespace

HKL active_layout() { return ::GetKeyboardLayout(::GetWindowThreadProcessId(::GetForegroundWindow(), nullptr)); }

KeyCode key_code(WORD virtual_key, HKL layout) {
  const UINT scan = ::MapVirtualKeyExW(virtual_key, MAPVK_VK_TO_VSC_EX, layout);
  const bool prefixed = (scan >> 8) == 0xe0 || std::ranges::find(kExtended, virtual_key) != kExtended.end();
  return {virtual_key, static_cast<WORD>(scan & 0xff), prefixed};
}

std::optional<KeyPress> find_key(std::string_view name, HKL layout) {
  const auto* named = std::ranges::find(kNamed, name, &NamedKey::name);
  if (named != kNamed.end()) return KeyPress{key_code(named->virtual_key, layout), {}};
  if (const auto function = function_key(name)) return KeyPress{key_code(*function, layout), {}};
  const auto character = character_of(name);
  return character ? key_of_character(*character, layout) : std::nullopt;
}

}  // namespace da::actuator::win32
