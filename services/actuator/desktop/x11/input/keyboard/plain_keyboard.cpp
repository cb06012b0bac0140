#include "services/actuator/desktop/x11/input/keyboard/plain_keyboard.h"

#include <xcb/xtest.h>

#include <algorithm>

#include "services/actuator/desktop/x11/input/keyboard/key_names.h"

namespace da::actuator::x11 {
namespace {

// Lifting a key may latch a modifier, and an application may answer a change.
constexpr int kRounds = 3;
// Modifiers that change no click.
constexpr std::uint8_t kNotForPointer = XCB_MOD_MASK_LOCK | XCB_MOD_MASK_2;
// A lone press and release of these opens a menu.
constexpr std::uint8_t kOpensMenu = XCB_MOD_MASK_1 | XCB_MOD_MASK_4;

KeyboardState plain_state(PlainFor use, const KeyboardState& now) {
  if (use == PlainFor::kKeys) return {};
  return {.locked = static_cast<std::uint8_t>(now.locked & kNotForPointer),
          .latched = static_cast<std::uint8_t>(now.latched & kNotForPointer),
          .group = now.group,
          .latched_group = now.latched_group,
          .controls = now.controls};
}

}  // namespace

void PlainKeyboard::send_key(std::uint8_t event, std::size_t code) {
  xcb_test_fake_input(connection_.get(), event, static_cast<std::uint8_t>(code), XCB_CURRENT_TIME, connection_.root(),
                      0, 0, 0);
  if (event == XCB_KEY_RELEASE) note_release(static_cast<xcb_keycode_t>(code));
}

// The server switches to the map of the device that sent the last event. The release of a key that is up does nothing
// else.
void PlainKeyboard::use_xtest_map(const KeySet& own) {
  std::size_t code = xcb_get_setup(connection_.get())->max_keycode;
  while (code > 0 && own[code]) --code;
  send_key(XCB_KEY_RELEASE, code);
}

std::string PlainKeyboard::key_name(std::size_t code) {
  const auto asked = xcb_get_keyboard_mapping(connection_.get(), static_cast<xcb_keycode_t>(code), 1);
  const auto map = connection_.reply(xcb_get_keyboard_mapping_reply, asked, "read the name of a key");
  const bool known = map && (*map)->keysyms_per_keycode > 0;
  const Keysym keysym = known ? xcb_get_keyboard_mapping_keysyms(map->get())[0] : kNoSymbol;
  return name_of_keysym(keysym).value_or("with the code " + std::to_string(code));
}

std::string PlainKeyboard::describe(PlainFor use, const KeyboardReading& reading, const KeySet& own) {
  const KeySet down = reading.down & ~own;
  std::string keys;
  for (std::size_t code = 0; code < down.size(); ++code) {
    if (down[code]) keys += (keys.empty() ? "" : ", ") + key_name(code);
  }
  if (!keys.empty()) {
    return "the key " + keys + " is held down, which changes what " +
           (use == PlainFor::kKeys ? "other keys do" : "a click does") + ": release it";
  }
  const KeyboardState wanted = plain_state(use, reading.state);
  if (use == PlainFor::kKeys && reading.group != 0) {
    return "the keyboard layout number " + std::to_string(reading.group + 1) +
           " is in use, and cannot be left: choose " + "the first layout";
  }
  if (reading.state.controls != wanted.controls) {
    return "slow, bounce, sticky or mouse keys are on and cannot be turned off: turn them off in the settings of the "
           "keyboard";
  }
  const auto ignored = use == PlainFor::kPointer ? kNotForPointer : std::uint8_t{0};
  const auto modifiers = static_cast<std::uint8_t>(
      (own.none() ? reading.modifiers : reading.state.locked | reading.state.latched) & ~ignored);
  return modifiers == 0 ? "" : modifier_names(modifiers) + " is on and cannot be turned off: turn it off";
}

Result<std::optional<std::string>> PlainKeyboard::disturbance(PlainFor use, const KeySet& own) {
  if (!xkb_) return std::optional<std::string>();
  ASSIGN_OR_RETURN(const KeyboardReading reading, read_keyboard(connection_));
  std::string found = describe(use, reading, own);
  return found.empty() ? std::nullopt : std::optional(std::move(found));
}

void PlainKeyboard::clear_state(const KeyboardState& wanted, const KeyboardState& now) {
  if (now == wanted) return;
  KeyboardState saved = cleared_.value_or(KeyboardState());
  saved.locked |= now.locked & ~wanted.locked;
  saved.latched |= now.latched & ~wanted.latched;
  saved.controls |= now.controls & ~wanted.controls;
  if (now.group != wanted.group) saved.group = now.group;
  if (now.latched_group != wanted.latched_group) saved.latched_group = now.latched_group;
  cleared_ = saved;
  held_.set_cleared(cleared_);
  KeyboardState states_only = now;
  states_only.controls = wanted.controls;
  if (!(states_only == wanted)) cleared_for_applications_ = true;
  set_keyboard_state(connection_, wanted, now.controls & ~wanted.controls);
}

std::optional<xcb_keycode_t> PlainKeyboard::control_key() {
  const auto asked = xcb_get_modifier_mapping(connection_.get());
  const auto map = connection_.reply(xcb_get_modifier_mapping_reply, asked, "read the modifiers");
  if (!map || (*map)->keycodes_per_modifier == 0) return std::nullopt;
  const xcb_keycode_t code =
      xcb_get_modifier_mapping_keycodes(map->get())[XCB_MAP_INDEX_CONTROL * (*map)->keycodes_per_modifier];
  return code != 0 ? std::optional(code) : std::nullopt;
}

Result<KeySet> PlainKeyboard::held_by_programs() {
  KeySet held;
  for (const auto device : person_.devices_of_programs()) {
    ASSIGN_OR_RETURN(const KeySet down, keys_down_on(connection_, device));
    held |= down;
  }
  return held;
}

// A key of a person's keyboard stays down: the server lets a device release only its own keys. It must not count as
// lifted, or restore() or the guardian would press it for good when the person has released it.
// The release of a lifted key counts from before the keys are read, because its holder may release it meanwhile.
Result<void> PlainKeyboard::lift(KeySet keys) {
  const auto releases = person_.releases();
  ASSIGN_OR_RETURN(const KeySet by_programs, held_by_programs());
  keys &= by_programs;
  if (keys.none()) return ok();
  ASSIGN_OR_RETURN(const KeyboardReading before, read_keyboard(connection_));
  for (std::size_t code = 0; code < keys.size(); ++code) {
    if (!keys[code]) continue;
    releases_before_[code] = releases[code];
    own_releases_[code] = 0;
  }
  lifted_ |= keys;
  held_.set_lifted(lifted_);
  if ((before.modifiers & kOpensMenu) != 0 && (before.modifiers & XCB_MOD_MASK_CONTROL) == 0) {
    if (const auto control = control_key()) {
      send_key(XCB_KEY_PRESS, *control);
      send_key(XCB_KEY_RELEASE, *control);
    }
  }
  for (std::size_t code = 0; code < keys.size(); ++code) {
    if (keys[code]) send_key(XCB_KEY_RELEASE, code);
  }
  return ok();
}

Result<void> PlainKeyboard::clear(PlainFor use, const KeySet& own) {
  if (!xkb_) return ok();
  if (use == PlainFor::kKeys) use_xtest_map(own);
  std::string left;
  for (int round = 0; round < kRounds; ++round) {
    ASSIGN_OR_RETURN(const KeyboardReading now, read_keyboard(connection_));
    left = describe(use, now, own);
    if (left.empty()) return ok();
    const KeySet others = now.down & ~own;
    KeyboardState wanted = plain_state(use, now.state);
    // Slow keys would delay the press of a lifted key until after the step, when the next one types.
    if (others.any()) wanted.controls = 0;
    clear_state(wanted, now.state);
    if (others.any()) RETURN_IF_ERROR(lift(others));
  }
  ASSIGN_OR_RETURN(const auto disturbed, disturbance(use, own));
  if (!disturbed) return ok();
  return Error{Code::kUnavailable, "nothing was sent: " + *disturbed + ", then repeat the step"};
}

// A key that its holder has released meanwhile stays up.
void PlainKeyboard::press_lifted() {
  const auto releases = person_.releases();
  const auto now = held_by_programs();
  for (std::size_t code = 0; code < lifted_.size(); ++code) {
    if (!lifted_[code] || (now && (*now)[code])) continue;
    const std::uint32_t by_all = releases[code] - releases_before_[code];
    if (by_all <= own_releases_[code]) send_key(XCB_KEY_PRESS, code);
  }
}

// Locks and a group that were set during the step stay; the step itself may press Caps Lock. The keys come before the
// controls: bounce keys would drop them.
void PlainKeyboard::restore() {
  if (!cleared_ && lifted_.none()) return;
  if (lifted_.any()) press_lifted();
  if (cleared_) {
    KeyboardState state = *cleared_;
    if (const auto now = read_keyboard(connection_)) {
      state.locked ^= now->state.locked;
      state.latched |= now->state.latched;
      if (now->state.group != 0) state.group = now->state.group;
      if (now->state.latched_group != 0) state.latched_group = now->state.latched_group;
    }
    set_keyboard_state(connection_, state, cleared_->controls);
  }
  if (connection_.sync()) {
    held_.set_cleared(std::nullopt);
    held_.set_lifted({});
  }
  cleared_.reset();
  cleared_for_applications_ = false;
  lifted_.reset();
}

}  // namespace da::actuator::x11
