// The fixed-size records in the pipe of a launch, each written with one write(2). The process that was forked first
// writes the first record, da-launcher writes the others.
#pragma once

namespace da::actuator::x11 {

struct LaunchReport {
  enum Kind : int {
    kStarted,  // Pid of da-launcher; without a launcher, of the program.
    kPid,      // Pid of the program, which runs now.
    kFailed,   // errno: the program could not be executed. The last record.
    kEnded     // Status of wait(2). The last record.
  };
  int kind;
  int value;
  char line[300];  // kEnded: the last non-blank line of its output; zero-terminated when shorter.
};

}  // namespace da::actuator::x11
