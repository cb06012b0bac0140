#include "services/planner/plain/window_wait.h"

#include <algorithm>
#include <string_view>

#include "lib/base/text.h"

namespace da::planner::plain {
namespace {

bool was_there(const v1::Observation& before, const v1::Window& window) {
  return std::ranges::any_of(before.windows(),
                             [&](const v1::Window& old) { return old.window_id() == window.window_id(); });
}

std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

// The program of a command line: its first word, without the directory and the quotes around it.
std::string_view program_of(std::string_view command) {
  command = trim(command);
  if (command.starts_with('"') || command.starts_with('\'')) {
    const char quote = command.front();
    command.remove_prefix(1);
    return file_name(command.substr(0, command.find(quote)));
  }
  return file_name(command.substr(0, command.find_first_of(" \t")));
}

bool took_over(const v1::Observation& before, const v1::Window& focused, const std::string& command) {
  return focused.window_id() != before.focused_window().window_id() &&
         file_name(focused.executable()) == program_of(command) && !program_of(command).empty();
}

}  // namespace

Result<void> await_launched_window(Sight& sight, const v1::Observation& before, const std::string& command) {
  std::string appeared;
  std::string open;
  const auto ready = [&](const v1::Observation& now) -> Result<bool> {
    const v1::Window& focused = now.focused_window();
    if (now.has_focused_window() && !was_there(before, focused)) return true;
    if (now.has_focused_window() && took_over(before, focused, command)) return true;
    appeared.clear();
    for (const v1::Window& window : now.windows()) {
      if (!was_there(before, window)) appeared = window.title();
    }
    open = describe_windows(now.windows());
    return false;
  };
  ASSIGN_OR_RETURN(const bool is_ready, sight.look_until(ready, kTargetWait));
  if (is_ready) return ok();
  if (!appeared.empty()) {
    return Error{Code::kFailedPrecondition, "its window \"" + escape_foreign(appeared, 80) +
                                                "\" opened, but did not get the focus within 10 s; windows: " + open};
  }
  return Error{Code::kFailedPrecondition, "it was started, but no new window opened within 10 s; windows: " + open};
}

}  // namespace da::planner::plain
