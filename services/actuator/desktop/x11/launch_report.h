// What is told through the pipe of a launch: records of one size, each written at once. The first comes from the
// process that was forked first, the others from da-launcher. Plain values.
#pragma once

namespace da::actuator::x11 {

struct LaunchReport {
  enum Kind : int {
    kStarted,  // The pid of da-launcher, or of the program where there is no launcher.
    kPid,      // Of the program, which runs now.
    kFailed,   // The errno why it could not be executed; the last record.
    kEnded     // The status of wait(2); the last record.
  };
  int kind;
  int value;
  char line[300];  // kEnded: the last line of its output that is not blank, ended by a zero where it is shorter.
};

}  // namespace da::actuator::x11
