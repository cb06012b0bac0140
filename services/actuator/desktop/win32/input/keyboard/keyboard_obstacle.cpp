#include "services/actuator/desktop/win32/input/keyboard/keyboard_obstacle.h"

#include <algorithm>
#include <array>
#include <utility>

namespace da::actuator::win32 {
namespace {

constexpr auto kModifiers = std::to_array<std::pair<WORD, const char*>>({{VK_LCONTROL, "Ctrl"},
                                                                         {VK_RCONTROL, "Ctrl"},
                                                                         {VK_LSHIFT, "Shift"},
                                                                         {VK_RSHIFT, "Shift"},
                                                                         {VK_LMENU, "Alt"},
                                                                         {VK_RMENU, "AltGr"},
                                                                         {VK_LWIN, "Windows"},
                                                                         {VK_RWIN, "Windows"}});

bool is_key_press(const INPUT& event) {
  return event.type == INPUT_KEYBOARD && (event.ki.dwFlags & KEYEVENTF_KEYUP) == 0;
}

bool is_button_press(const INPUT& event) {
  constexpr DWORD kPresses =
      MOUSEEVENTF_LEFTDOWN | MOUSEEVENTF_RIGHTDOWN | MOUSEEVENTF_MIDDLEDOWN | MOUSEEVENTF_WHEEL | MOUSEEVENTF_HWHEEL;
  return event.type == INPUT_MOUSE && (event.mi.dwFlags & kPresses) != 0;
}

// https://learn.microsoft.com/windows/win32/api/winuser/ns-winuser-stickykeys
constexpr auto kKeptBySticky =
    std::to_array<std::pair<DWORD, const char*>>({{SKF_LCTLLATCHED | SKF_LCTLLOCKED, "Ctrl"},
                                                  {SKF_RCTLLATCHED | SKF_RCTLLOCKED, "Ctrl"},
                                                  {SKF_LSHIFTLATCHED | SKF_LSHIFTLOCKED, "Shift"},
                                                  {SKF_RSHIFTLATCHED | SKF_RSHIFTLOCKED, "Shift"},
                                                  {SKF_LALTLATCHED | SKF_LALTLOCKED, "Alt"},
                                                  {SKF_RALTLATCHED | SKF_RALTLOCKED, "AltGr"},
                                                  {SKF_LWINLATCHED | SKF_LWINLOCKED, "Windows"},
                                                  {SKF_RWINLATCHED | SKF_RWINLOCKED, "Windows"}});

std::string kept_now() {
  STICKYKEYS sticky{};
  sticky.cbSize = sizeof sticky;
  if (!::SystemParametersInfoW(SPI_GETSTICKYKEYS, sizeof sticky, &sticky, 0)) return {};
  return kept_by_sticky_keys(sticky.dwFlags);
}

bool filter_keys_are_on() {
  FILTERKEYS filter{};
  filter.cbSize = sizeof filter;
  return ::SystemParametersInfoW(SPI_GETFILTERKEYS, sizeof filter, &filter, 0) &&
         (filter.dwFlags & FKF_FILTERKEYSON) != 0;
}

}  // namespace

std::string kept_by_sticky_keys(DWORD flags) {
  if ((flags & SKF_STICKYKEYSON) == 0) return {};
  const auto kept = std::ranges::find_if(kKeptBySticky, [&](const auto& each) { return (flags & each.first) != 0; });
  return kept == kKeptBySticky.end() ? "" : kept->second;
}

std::optional<std::string> keyboard_obstacle(std::span<const INPUT> events, const HeldKeys& held) {
  const bool keys = std::ranges::any_of(events, is_key_press);
  if (!keys && !std::ranges::any_of(events, is_button_press)) return std::nullopt;
  for (const auto& [key, name] : kModifiers) {
    const bool down = (static_cast<unsigned short>(::GetAsyncKeyState(key)) & 0x8000U) != 0;
    if (!down || held.holds(key)) continue;
    return std::string("the key ") + name + " is held down, which changes what other keys and clicks do: release it";
  }
  if (const std::string kept = kept_now(); !kept.empty()) {
    return "Sticky Keys keep the key " + kept +
           ", which changes what other keys and clicks do: press it until it is free";
  }
  if (keys && filter_keys_are_on()) {
    return "Filter Keys are on, which drop or delay keys: turn them off in the settings of the keyboard";
  }
  return std::nullopt;
}

bool caps_lock_is_on() { return (static_cast<unsigned short>(::GetKeyState(VK_CAPITAL)) & 1U) != 0; }

}  // namespace da::actuator::win32
