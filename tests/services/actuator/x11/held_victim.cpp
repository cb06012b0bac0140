// held_victim DISPLAY GUARDIAN: an actuator that dies at the worst moment. Claims the display, starts the guardian,
// lends keys, puts Caps Lock aside, holds a chord and a button, says so, and waits to be killed.
#include <unistd.h>
#include <xcb/xtest.h>

#include <iostream>

#include "lib/base/clock.h"
#include "services/actuator/desktop/x11/display_claim.h"
#include "services/actuator/desktop/x11/guardian.h"
#include "services/actuator/desktop/x11/keyboard_locks.h"
#include "services/actuator/desktop/x11/keyboard_map.h"

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
  held.put_aside(read_keyboard_locks(*connection));
  set_keyboard_locks(*connection, {});
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
