#include "services/actuator/desktop/win32/input/kill_chord.h"

#include <windows.h>

#include <algorithm>
#include <initializer_list>

namespace da::actuator::win32 {
namespace {

constexpr auto kControl = {VK_CONTROL, VK_LCONTROL, VK_RCONTROL};
constexpr auto kShift = {VK_SHIFT, VK_LSHIFT, VK_RSHIFT};
constexpr auto kEscape = {VK_ESCAPE};

}  // namespace

bool KillChord::press(std::uint32_t key) {
  held_.insert(key);
  const auto holds_one_of = [this](std::initializer_list<int> keys) {
    return std::ranges::any_of(keys, [this](int each) { return held_.contains(static_cast<std::uint32_t>(each)); });
  };
  const auto is_one_of = [key](std::initializer_list<int> keys) {
    return std::ranges::find(keys, static_cast<int>(key)) != keys.end();
  };
  const bool is_part = is_one_of(kControl) || is_one_of(kShift) || is_one_of(kEscape);
  return is_part && holds_one_of(kControl) && holds_one_of(kShift) && holds_one_of(kEscape);
}

}  // namespace da::actuator::win32
