// The command line of da-console, from the table of commands. Main thread.
#pragma once

namespace da::console {

// Parses the arguments and carries out the command or the goal. Returns the exit code.
int run_command_line(int argc, char** argv);

}  // namespace da::console
