// held_keys.exe: prints the virtual-key codes of the keys and mouse buttons that this desktop takes for held.
#include <iostream>

#include "lib/os/win32.h"

int main() {
  for (int key = 1; key < 255; ++key)
    if (::GetAsyncKeyState(key) < 0) std::cout << key << "\n";
}
