// The X11 back end: every role of desktop.h on one X display and the session's accessibility bus.
//
// Each role has its own connections, which live as long as the Desktop. A display that is unreachable or lost later is
// kUnavailable. Without a session bus everything but the UI tree works.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/files/system_files.h"

namespace da::actuator {

enum class X11Use { kExamine, kDrive };

struct X11Options {
  std::string display;                             // Such as ":0"; empty: $DISPLAY.
  std::map<std::string, std::string> environment;  // Variables for launched programs, in addition to our own.
  // kDrive claims the display: kAlreadyExists when another actuator has it. kExamine disturbs nobody.
  X11Use use = X11Use::kExamine;
  std::string guardian;  // Path of da-guardian, which cleans up if this process dies. Only with kDrive.
  std::string launcher;  // Path of da-launcher, which reports the end of programs. Empty: they are not followed.
  FilesOptions files;
};

// The clock must outlive the desktop.
Result<std::unique_ptr<Desktop>> open_x11_desktop(const X11Options& options, const Clock& clock);

}  // namespace da::actuator
