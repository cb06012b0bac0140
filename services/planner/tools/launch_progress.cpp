#include "services/planner/tools/launch_progress.h"

#include <algorithm>
#include <string_view>

#include "lib/base/text.h"

namespace da::planner {
namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

// The first word of a command line, without directory and quotes.
std::string_view program_of(std::string_view command) {
  command = trim(command);
  if (command.starts_with('"') || command.starts_with('\'')) {
    const char quote = command.front();
    command.remove_prefix(1);
    return file_name(command.substr(0, command.find(quote)));
  }
  return file_name(command.substr(0, command.find_first_of(" \t")));
}

const v1::Window* window_with_id(const google::protobuf::RepeatedPtrField<v1::Window>& windows, const std::string& id) {
  const auto found = std::ranges::find(windows, id, &v1::Window::window_id);
  return found == windows.end() ? nullptr : &*found;
}

bool takes_input(const v1::Window& window) {
  return window.kind() != v1::Window::KIND_SPLASH && window.kind() != v1::Window::KIND_TOOLTIP;
}

const v1::LaunchedProcess* newest(const v1::Observation& now) {
  return now.launched().empty() ? nullptr : &*now.launched().rbegin();
}

class Launch {
 public:
  Launch(const v1::Observation& before, const v1::Observation& now, const std::string& command)
      : before_(before), now_(now), command_(command), program_(newest(now)) {}

  using Stage = LaunchProgress::Stage;

  LaunchProgress progress() const {
    if (const v1::Window* const dialog = blocker()) {
      return {Stage::kBlocked, dialog->window_id(), false,
              "the dialog " + quote_foreign(dialog->title(), 80) + " is in the way"};
    }
    if (now_.has_focused_window() && is_ready(now_.focused_window())) {
      const v1::Window& window = now_.focused_window();
      // A title alone may change at any time.
      const bool got_focus = before_.focused_window().window_id() != window.window_id();
      return {.stage = Stage::kReady, .by_program = is_of_launch(window) || (got_focus && belongs(window))};
    }
    if (program_ != nullptr && program_->ended() && program_->pids().empty()) return ended();
    if (is_of_another_program()) {
      return {.stage = Stage::kOther,
              .detail = "the window " + quote_foreign(now_.focused_window().title(), 80) +
                        " of another program has the focus, and no window of its own opened"};
    }
    return {.stage = Stage::kWaiting, .detail = windows_in_words()};
  }

 private:
  bool is_of_launch(const v1::Window& window) const {
    return program_ != nullptr && std::ranges::find(program_->pids(), window.pid()) != program_->pids().end();
  }
  bool is_new(const v1::Window& window) const {
    return window_with_id(before_.windows(), window.window_id()) == nullptr;
  }

  bool belongs(const v1::Window& window) const {
    if (is_of_launch(window)) return true;
    // A program that was running before may have got the command. It has not if the launched one still runs or has
    // failed: then the window is that of another script of the same interpreter.
    const bool handed_over = program_ == nullptr || (program_->pids().empty() && program_->exit_status() == 0);
    if (!is_new(window) && !handed_over) return false;
    // The command may be a link or a script for the program: python3 for python3.11, soffice for soffice.bin.
    const std::string_view program = program_of(command_);
    return !program.empty() && file_name(window.executable()).starts_with(program);
  }

  // The dialog from before that has the focus, or that takes the input of the focused window.
  const v1::Window* blocker() const {
    if (!now_.has_focused_window() || !belongs(now_.focused_window())) return nullptr;
    const v1::Window& focused = now_.focused_window();
    if (!focused.blocked_by().empty()) return window_with_id(now_.windows(), focused.blocked_by());
    if (window_with_id(before_.windows(), focused.window_id()) == nullptr) return nullptr;
    const bool blocks = std::ranges::any_of(
        now_.windows(), [&](const v1::Window& window) { return window.blocked_by() == focused.window_id(); });
    return blocks ? &focused : nullptr;
  }

  bool is_ready(const v1::Window& focused) const {
    if (!takes_input(focused)) return false;
    const v1::Window* const old = window_with_id(before_.windows(), focused.window_id());
    if (old == nullptr && !belongs(focused)) return may_be_for_launch(focused);
    if (old == nullptr) return true;
    if (!belongs(focused)) return false;
    const bool had_focus = before_.focused_window().window_id() == focused.window_id();
    const bool answers = program_ != nullptr && !program_->starting() && !program_->pids().empty() &&
                         std::ranges::find(program_->pids(), focused.pid()) != program_->pids().end();
    return !had_focus || old->title() != focused.title() || answers;
  }

  // Whether a window of another program may be the effect: the command may start that program, or tell a running one.
  bool may_be_for_launch(const v1::Window& window) const {
    const auto is_of_it = [&](const v1::Window& each) { return each.pid() != 0 && each.pid() == window.pid(); };
    const bool ran_before = std::ranges::any_of(before_.windows(), is_of_it);
    return !ran_before || program_ == nullptr || (program_->ended() && program_->pids().empty());
  }

  bool is_of_another_program() const {
    if (!now_.has_focused_window()) return false;
    const v1::Window& focused = now_.focused_window();
    return takes_input(focused) && window_with_id(before_.windows(), focused.window_id()) == nullptr;
  }

  LaunchProgress ended() const {
    if (program_->exit_status() != 0) {
      const std::string& line = program_->last_output();
      return {.stage = Stage::kFailed,
              .detail = "it ended with exit status " + std::to_string(program_->exit_status()) +
                        (line.empty() ? " and printed nothing"
                                      : "; the last line that it printed: " + quote_foreign(line, 200))};
    }
    const bool answered =
        now_.has_focused_window() && takes_input(now_.focused_window()) && belongs(now_.focused_window());
    return {.stage = answered ? Stage::kAnswered : Stage::kEnded,
            .detail = "it ended with exit status 0, and " + windows_in_words()};
  }

  std::string windows_in_words() const {
    const v1::Window* appeared = nullptr;
    for (const v1::Window& window : now_.windows()) {
      if (window_with_id(before_.windows(), window.window_id()) != nullptr) continue;
      if (appeared == nullptr || takes_input(window)) appeared = &window;
    }
    if (appeared == nullptr) return "no new window opened";
    const std::string title = quote_foreign(appeared->title(), 80);
    if (takes_input(*appeared)) return "its window " + title + " opened, but did not get the focus";
    return "only " + std::string(appeared->kind() == v1::Window::KIND_SPLASH ? "its splash screen " : "a popup ") +
           title + " opened";
  }

  const v1::Observation& before_;
  const v1::Observation& now_;
  const std::string& command_;
  const v1::LaunchedProcess* const program_;
};

}  // namespace

LaunchProgress launch_progress(const v1::Observation& before, const v1::Observation& now, const std::string& command) {
  return Launch(before, now, command).progress();
}

std::string launch_activity(const v1::Observation& now, const std::string& last) {
  std::string activity;
  const v1::LaunchedProcess* const program = newest(now);
  if (program != nullptr) {
    for (const std::uint32_t pid : program->pids()) activity += std::to_string(pid) + ",";
  }
  bool repainted = false;
  for (const v1::Window& window : now.windows()) {
    activity += ";" + window.window_id() + window.title() + (window.focused() ? "*" : "");
    const bool own = program != nullptr && std::ranges::find(program->pids(), window.pid()) != program->pids().end();
    const v1::Rect& area = now.changed_area();
    const v1::Rect& place = window.bounds();
    const auto overlaps = [](std::int64_t a, std::int64_t a_size, std::int64_t b, std::int64_t b_size) {
      return a < b + b_size && b < a + a_size;
    };
    repainted =
        repainted || (own && now.changed_tiles() > 0 && overlaps(area.x(), area.width(), place.x(), place.width()) &&
                      overlaps(area.y(), area.height(), place.y(), place.height()));
  }
  // Alternate the mark, so that a second repaint changes the text, too.
  if (repainted) activity += last.ends_with("+") ? "-" : "+";
  return activity;
}

}  // namespace da::planner
