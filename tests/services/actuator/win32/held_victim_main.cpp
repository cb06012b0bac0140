// An actuator for the tests to kill: it presses the left button at a point and holds it.
// Usage: held_victim GUARDIAN X Y
#include <windows.h>

#include <cstdlib>

#include "services/actuator/desktop/win32/win32_desktop.h"

int main(int argc, char** argv) {
  using namespace da::actuator;
  if (argc != 4) return 2;
  const auto desktop = open_win32_desktop(da::system_clock(), Win32Use::kDrive, argv[1]);
  if (!desktop) return 3;
  const da::Point at{std::atoi(argv[2]), std::atoi(argv[3])};
  if (!(*desktop)->input().button_down(at, Button::kLeft)) return 4;
  ::Sleep(INFINITE);
}
