#include "services/actuator/desktop/x11/input/keyboard_locks.h"

// The header has fields named by a C++ keyword.
#define explicit explicit_
#include <xcb/xkb.h>
#undef explicit

namespace da::actuator::x11 {

std::optional<KeyboardLocks> read_keyboard_locks(Connection& connection) {
  if (connection.extension(xcb_xkb_id) == nullptr) return std::nullopt;
  const auto use = xcb_xkb_use_extension(connection.get(), XCB_XKB_MAJOR_VERSION, XCB_XKB_MINOR_VERSION);
  const auto ask = xcb_xkb_get_state(connection.get(), XCB_XKB_ID_USE_CORE_KBD);
  const auto used = connection.reply(xcb_xkb_use_extension_reply, use, "use XKB");
  const auto state = connection.reply(xcb_xkb_get_state_reply, ask, "read the keyboard's state");
  if (!used || !state) return std::nullopt;
  return KeyboardLocks{static_cast<std::uint8_t>((*state)->lockedMods & XCB_MOD_MASK_LOCK), (*state)->lockedGroup};
}

void set_keyboard_locks(Connection& connection, const KeyboardLocks& locks) {
  xcb_xkb_latch_lock_state(connection.get(), XCB_XKB_ID_USE_CORE_KBD, XCB_MOD_MASK_LOCK, locks.modifiers, 1,
                           locks.group, 0, 0, 0);
}

}  // namespace da::actuator::x11
