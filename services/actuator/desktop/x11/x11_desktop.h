// The X11 back end: every role of desktop.h on one X display, and the accessibility bus of the session.
//
// Each role has connections of its own; they live as long as the Desktop. A display that cannot be reached is
// kUnavailable, also later, when it is lost. Without a session bus everything but the UI tree works.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

enum class X11Use { kExamine, kDrive };

struct X11Options {
  std::string display;                             // Such as ":0"; empty: $DISPLAY.
  std::map<std::string, std::string> environment;  // For launched programs, beside our own.
  // To drive it is to claim it: kAlreadyExists where another actuator has. To examine it disturbs nobody.
  X11Use use = X11Use::kExamine;
  std::string guardian;  // The program that puts the display right should this process die. Only to drive it.
  std::string launcher;  // The program that starts others and tells of their end. Without it nobody follows them.
};

// The clock must outlive the desktop.
Result<std::unique_ptr<Desktop>> open_x11_desktop(const X11Options& options, const Clock& clock);

}  // namespace da::actuator
