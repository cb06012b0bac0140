// The desktop checks of `da-console doctor` and `da-actuator doctor`: ask the back end's roles what they can do. They
// change nothing.
#pragma once

#include <string>
#include <vector>

#include "lib/service/doctor.h"

namespace da::actuator {

std::vector<service::Check> examine_desktop();

// What is special on this system; examine_x11.cpp or examine_win32.cpp.
struct NativeExam {
  // What to do if a check fails.
  std::string desktop_advice;
  std::string monitors_advice;
  std::string capture_advice;
  std::string windows_advice;
  std::string tree_name;
  std::string tree_advice;
  std::vector<service::Check> more;  // Checks that only this system has.
};
// Called before the desktop is opened: a process has only one watch for a person's input at a time.
NativeExam native_exam();

}  // namespace da::actuator
