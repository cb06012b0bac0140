// The person's text editor. Main thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/result.h"

namespace da::console {

// The command of $VISUAL, else of $EDITOR, as words; else of an editor that is installed. The first word is a path. No
// shell reads it. kNotFound: no such program; kInvalidArgument: an unclosed quote.
Result<std::vector<std::string>> editor_command();

// Opens the file in the editor, and returns when it has ended. kAborted: with another exit code than 0; kCancelled: a
// signal came. Ctrl+C is the editor's.
Result<void> run_editor(const std::vector<std::string>& command, const std::filesystem::path& file);

}  // namespace da::console
