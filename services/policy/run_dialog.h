// The dialog that starts programs, as far as steps tell of it: which chords open it, what was typed into it, and when
// that is started. A step may do all of it at once: press ["win","x","t","e","r","m","enter"].
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "da/v1/tools.pb.h"

namespace da::policy {

struct RunDialog {
  bool open = false;
  std::string command;  // Typed since it opened, with '\b' for each backspace; the last of it where it is long.
};

struct TypedCommand {
  std::string text;      // Backspaces have done their work.
  bool started = false;  // By enter; else it only stands there.
};

// Leaves the dialog as the step does. What the step made the dialog hold or start, in this order; none where it types
// nothing there. The dialog stays open whatever else happens, until enter or escape.
std::vector<TypedCommand> follow(RunDialog& dialog, const v1::Action& action);

}  // namespace da::policy
