// Points at which a test may kill the process. A normal build compiles them to nothing. In the `faults` preset (for
// Windows: with the option DA_FAULT_POINTS) the process kills itself, by SIGKILL or TerminateProcess, at the point that
// the environment variable DA_FAULT_POINT names, on the n-th pass:
//
//   DA_FAULT_POINT("actuator.after_intent");          // In the code.
//   DA_FAULT_POINT=actuator.after_intent:2 da-...     // Killed on the second pass.
//
// The section da_fault_points of each binary lists the names, each with a terminating zero byte, so that a test can
// walk through all of them. Any thread.
#pragma once

#ifdef DA_FAULT_POINTS

namespace da {

void pass_fault_point(const char* name);
// Defined in fault_point_posix.cpp and fault_point_win32.cpp. Ends the process without any cleanup.
void kill_this_process();

}  // namespace da

#define DA_FAULT_POINT(name)                                                               \
  do {                                                                                     \
    [[gnu::section("da_fault_points"), gnu::used]] static const char fault_point[] = name; \
    ::da::pass_fault_point(fault_point);                                                   \
  } while (false)

#else

#define DA_FAULT_POINT(name) static_cast<void>(0)

#endif
