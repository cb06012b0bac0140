#include "services/actuator/desktop/x11/input/keyboard/keyboard_state.h"

#include <sys/uio.h>
#include <xcb/xcbext.h>
#include <xcb/xinput.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

// The header has fields named by a C++ keyword.
#define explicit explicit_
#include <xcb/xkb.h>
#undef explicit

namespace da::actuator::x11 {
namespace {

constexpr std::uint8_t kAllModifiers = 0xff;

static_assert(kDisturbingControls ==
              (XCB_XKB_BOOL_CTRL_REPEAT_KEYS | XCB_XKB_BOOL_CTRL_SLOW_KEYS | XCB_XKB_BOOL_CTRL_BOUNCE_KEYS |
               XCB_XKB_BOOL_CTRL_STICKY_KEYS | XCB_XKB_BOOL_CTRL_MOUSE_KEYS | XCB_XKB_BOOL_CTRL_ACCESS_X_KEYS));
static_assert(kRepeatKeys == XCB_XKB_BOOL_CTRL_REPEAT_KEYS);

// xcb_xkb_latch_lock_state() has no argument for the latched modifiers: the protocol has them in pad0.
void latch_and_lock(Connection& connection, const KeyboardState& state) {
  xcb_xkb_latch_lock_state_request_t request{};
  request.deviceSpec = XCB_XKB_ID_USE_CORE_KBD;
  request.affectModLocks = kAllModifiers;
  request.modLocks = state.locked;
  request.lockGroup = 1;
  request.groupLock = state.group;
  request.affectModLatches = kAllModifiers;
  request.pad0 = state.latched;
  request.latchGroup = 1;
  request.groupLatch = state.latched_group;
  // XCB needs two unused elements before the first one, and fills in the opcodes and the length.
  std::array<iovec, 3> parts{};
  parts[2] = {&request, sizeof(request)};
  constexpr xcb_protocol_request_t kRequest{1, &xcb_xkb_id, XCB_XKB_LATCH_LOCK_STATE, 1};
  xcb_send_request(connection.get(), 0, &parts[2], &kRequest);
}

KeySet key_set(std::span<const std::uint8_t> bits) {
  KeySet keys;
  for (std::size_t code = 0; code < std::min(keys.size(), bits.size() * 8); ++code) {
    keys[code] = (bits[code / 8] >> (code % 8) & 1) != 0;
  }
  return keys;
}

}  // namespace

bool use_xkb(Connection& connection) {
  if (connection.extension(xcb_xkb_id) == nullptr) return false;
  const auto use = xcb_xkb_use_extension(connection.get(), XCB_XKB_MAJOR_VERSION, XCB_XKB_MINOR_VERSION);
  const auto used = connection.reply(xcb_xkb_use_extension_reply, use, "use XKB");
  return used && (*used)->supported != 0;
}

Result<KeyboardReading> read_keyboard(Connection& connection) {
  xcb_connection_t* x = connection.get();
  const auto ask_state = xcb_xkb_get_state(x, XCB_XKB_ID_USE_CORE_KBD);
  const auto ask_controls = xcb_xkb_get_controls(x, XCB_XKB_ID_USE_CORE_KBD);
  const auto ask_down = xcb_query_keymap(x);
  const auto state = connection.reply(xcb_xkb_get_state_reply, ask_state, "read the keyboard's state");
  const auto controls = connection.reply(xcb_xkb_get_controls_reply, ask_controls, "read the keyboard's controls");
  const auto down = connection.reply(xcb_query_keymap_reply, ask_down, "read the pressed keys");
  if (!state) return state.error();
  if (!controls) return controls.error();
  if (!down) return down.error();
  KeyboardReading reading;
  reading.state = {.locked = (*state)->lockedMods,
                   .latched = (*state)->latchedMods,
                   .group = (*state)->lockedGroup,
                   .latched_group = static_cast<std::uint8_t>((*state)->latchedGroup),
                   .controls = static_cast<std::uint16_t>((*controls)->enabledControls & kDisturbingControls)};
  reading.modifiers = (*state)->mods;
  reading.group = (*state)->group;
  reading.down = key_set((*down)->keys);
  return reading;
}

Result<KeySet> keys_down_on(Connection& connection, std::uint16_t device) {
  const auto asked = xcb_input_query_device_state(connection.get(), static_cast<std::uint8_t>(device));
  ASSIGN_OR_RETURN(const auto state,
                   connection.reply(xcb_input_query_device_state_reply, asked, "read a device's keys"));
  KeySet down;
  for (auto each = xcb_input_query_device_state_classes_iterator(state.get()); each.rem > 0;
       xcb_input_input_state_next(&each)) {
    if (each.data->class_id != XCB_INPUT_INPUT_CLASS_KEY) continue;
    down |= key_set(reinterpret_cast<const xcb_input_key_state_t*>(each.data)->keys);
  }
  return down;
}

// The controls come first: turning sticky keys off clears latches and locks.
void set_keyboard_state(Connection& connection, const KeyboardState& state, std::uint16_t affected) {
  if (affected != 0) {
    constexpr std::array<std::uint8_t, 32> kUnused{};
    xcb_xkb_set_controls(connection.get(), XCB_XKB_ID_USE_CORE_KBD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, affected,
                         state.controls & affected, XCB_XKB_CONTROL_CONTROLS_ENABLED, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                         0, 0, 0, kUnused.data());
  }
  latch_and_lock(connection, state);
}

std::string modifier_names(std::uint8_t modifiers) {
  constexpr std::array<std::string_view, 8> kNames{"Shift",      "Caps Lock",       "Ctrl", "Alt", "Num Lock",
                                                   "modifier 3", "the Windows key", "AltGr"};
  std::string names;
  for (std::size_t bit = 0; bit < kNames.size(); ++bit) {
    if ((modifiers >> bit & 1) == 0) continue;
    if (!names.empty()) names += ", ";
    names += kNames[bit];
  }
  return names;
}

}  // namespace da::actuator::x11
