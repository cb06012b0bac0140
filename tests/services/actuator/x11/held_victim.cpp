// held_victim DISPLAY GUARDIAN: an actuator for the tests to kill. Claims the display, starts the guardian, borrows
// keycodes, clears Caps Lock, holds a chord and a button, prints "holds PID" with the guardian's pid, and waits.
#include <unistd.h>
#include <xcb/xtest.h>

#include <iostream>

#include "lib/base/clock.h"
#include "services/actuator/desktop/x11/input/keyboard/keyboard_map.h"
#include "services/actuator/desktop/x11/input/keyboard/keyboard_state.h"
#include "services/actuator/desktop/x11/session/display_claim.h"
#include "services/actuator/desktop/x11/session/guardian.h"

namespace {

using namespace da;
using namespace da::actuator::x11;

constexpr Keysym kChord[] = {kShiftLeft, 0xffe3, 'a'};
constexpr Keysym kHiragana[] = {0x1003042, 0x1003044};

Result<void> hold(const std::string& display, const std::string& program, const Clock& clock) {
  const MonoTime deadline = clock.now() + Milliseconds(10'000);
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  RETURN_IF_ERROR(claim_display(*connection, deadline));
  ASSIGN_OR_RETURN(auto held, HeldInput::create());
  ASSIGN_OR_RETURN(const auto clipboard, KeptClipboard::create());
  ASSIGN_OR_RETURN(const auto guardian, start_guardian(program, display, held, clipboard, deadline));
  ASSIGN_OR_RETURN(auto map, KeyboardMap::open(*connection));
  RETURN_IF_ERROR(map->lend(kHiragana));
  if (!use_xkb(*connection)) return Error{Code::kUnimplemented, "the server has no XKB"};
  ASSIGN_OR_RETURN(const KeyboardReading reading, read_keyboard(*connection));
  held.set_cleared(reading.state);
  held.set_lifted(reading.down);
  set_keyboard_state(*connection, {}, reading.state.controls);
  for (std::size_t code = 0; code < reading.down.size(); ++code) {
    if (!reading.down[code]) continue;
    xcb_test_fake_input(connection->get(), XCB_KEY_RELEASE, static_cast<std::uint8_t>(code), 0, connection->root(), 0,
                        0, 0);
  }
  for (const Keysym keysym : kChord) {
    held.add_key(map->find(keysym)->code);
    xcb_test_fake_input(connection->get(), XCB_KEY_PRESS, map->find(keysym)->code, 0, connection->root(), 0, 0, 0);
  }
  held.add_button(1);
  xcb_test_fake_input(connection->get(), XCB_BUTTON_PRESS, 1, 0, connection->root(), 0, 0, 0);
  RETURN_IF_ERROR(connection->sync());
  std::cout << "holds " << guardian.pid() << std::endl;
  for (;;) ::pause();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto held = hold(argv[1], argv[2], system_clock());
  std::cerr << held.error().message << "\n";
  return 1;
}
