// set_event.exe NAME: sets the named event, as a program does that asks a service to stop. Exit code 1: there is none.
#include <iostream>

#include "lib/os/process/environment.h"
#include "lib/os/win32.h"

int main(int argc, char** argv) {
  const auto arguments = da::os::program_arguments(argc, argv);
  if (arguments.size() != 1) return 2;
  const auto event = da::os::to_handle(::OpenEventW(EVENT_MODIFY_STATE, FALSE, da::os::wide(arguments[0]).c_str()));
  if (event && ::SetEvent(event.get()) != 0) return 0;
  std::cerr << da::os::windows_error("set the event " + arguments[0], ::GetLastError()).message << "\n";
  return 1;
}
