// Follows the dialog that starts programs, from the steps alone: which chord opens it, what is typed into it, and when
// enter starts that. One step may do all of it: press ["win","x","t","e","r","m","enter"]. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "da/v1/tools.pb.h"

namespace da::policy {

struct RunDialog {
  bool open = false;
  std::string command;  // Typed since it opened, with '\b' for each backspace; only the end of a long command.
};

struct TypedCommand {
  std::string text;      // Backspaces are applied.
  bool started = false;  // Enter started it; otherwise it is only typed.
};

// Applies the step to `dialog`. Returns the commands that the step typed or started, in this order; empty if it types
// nothing into the dialog. Only enter and escape close the dialog.
std::vector<TypedCommand> follow(RunDialog& dialog, const v1::Action& action);

}  // namespace da::policy
