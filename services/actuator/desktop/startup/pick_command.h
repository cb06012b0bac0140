// `da-actuator pick`: lets the person at this desktop mark a rectangle, and prints it as X,Y,WIDTH,HEIGHT in desktop
// pixels. `da-console add-region --pick` starts it. It is a process of its own, not a call of the service, so that
// nobody can grab the pointer of a desktop over a network. Main thread.
#pragma once

#include <optional>

namespace da::actuator {

// The exit code: 0 done, 1 failed, 2 bad usage, 130 cancelled by the person. nullopt: the arguments name another
// command.
std::optional<int> run_pick_command(int argc, char** argv);

}  // namespace da::actuator
