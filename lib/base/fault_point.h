// Places where a test may let a process die. In a normal build a point is nothing at all. In the `faults` preset the
// process gets a SIGKILL at the point that DA_FAULT_POINT names in its environment, on the n-th pass:
//
//   DA_FAULT_POINT("actuator.after_intent");          // In the code.
//   DA_FAULT_POINT=actuator.after_intent:2 da-...     // Dies when it comes by for the second time.
//
// The names are in the section da_fault_points of each binary, one after the other, each ended by a zero byte: a test
// that walks through all of them cannot forget one. Any thread.
#pragma once

#ifdef DA_FAULT_POINTS

namespace da {

void pass_fault_point(const char* name);

}  // namespace da

#define DA_FAULT_POINT(name)                                                               \
  do {                                                                                     \
    [[gnu::section("da_fault_points"), gnu::used]] static const char fault_point[] = name; \
    ::da::pass_fault_point(fault_point);                                                   \
  } while (false)

#else

#define DA_FAULT_POINT(name) static_cast<void>(0)

#endif
