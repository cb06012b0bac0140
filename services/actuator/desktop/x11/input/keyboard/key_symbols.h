// Writes keysyms into the server's keyboard maps. One thread; uses the caller's connection.
#pragma once

#include <xcb/xcb.h>

#include <array>
#include <map>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/input/keyboard/key_names.h"

namespace da::actuator::x11 {

// Each keycode has the keysym without Shift and that with it. kNoSymbol twice leaves the key without any.
using KeySymbols = std::map<xcb_keycode_t, std::array<Keysym, 2>>;

// Gives these keys one group with these keysyms, on the core keyboard and on each device that is attached to it. The
// other keys keep what they have. This takes one request where all devices have the same map, because each request
// tells every program that the map has changed, and a window manager may need 0.1 s for that. Errors: kUnavailable.
Result<void> write_key_symbols(Connection& connection, const KeySymbols& keys);

}  // namespace da::actuator::x11
