#include "services/actuator/desktop/run_dialog.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kOpens{3'000};
constexpr Milliseconds kReads{2'000};
constexpr Milliseconds kStarts{3'000};
// An application that answers later counts as one that does not answer.
constexpr Milliseconds kElementTimeout{1'000};
// One look at the desktop each time that the screen has rested for this long, or at the latest after `kRound`.
constexpr Milliseconds kRest{40};
constexpr Milliseconds kRound{100};
const std::string kEnter = "enter";

bool is_same(const WindowInfo& a, const WindowInfo& b) {
  return a.id == b.id && a.pid == b.pid && a.process_start == b.process_start;
}

class Launch {
 public:
  Launch(Desktop& desktop, const RunDialog& dialog, const LaunchPlan& plan, const Checkpoint& checkpoint,
         const Clock& clock)
      : desktop_(desktop), dialog_(dialog), plan_(plan), checkpoint_(checkpoint), clock_(clock) {}

  Result<std::string> run() {
    RETURN_IF_ERROR(open());
    const auto typed = type();
    if (!typed && typed.error().code == Code::kUnavailable) close();
    RETURN_IF_ERROR(typed);
    const Progress entered = desktop_.input().tap({&kEnter, 1}, watch());
    if (entered.stopped && entered.done == 0) return *entered.stopped;
    return outcome();
  }

 private:
  // Calls `look` until it is true. False at the deadline. An error of the checkpoint ends it.
  template <class Look>
  Result<bool> wait(Milliseconds patience, const Look& look) {
    const MonoTime deadline = clock_.now() + patience;
    for (auto left = patience / kRest; left > 0 && clock_.now() < deadline; --left) {
      RETURN_IF_ERROR(checkpoint_());
      ASSIGN_OR_RETURN(const bool is_true, look());
      if (is_true) return true;
      ASSIGN_OR_RETURN([[maybe_unused]] const auto quiet, desktop_.screen().wait_quiet(kRest, clock_.now() + kRound));
    }
    return false;
  }

  bool is_new(const WindowInfo& window) const {
    return std::ranges::none_of(before_, [&](const WindowInfo& old) { return is_same(old, window); });
  }

  // A dialog that the shell has opened since the keys were pressed, with a text field that has the focus.
  Result<bool> look_for_dialog() {
    ASSIGN_OR_RETURN(const auto window, desktop_.windows().foreground());
    const bool may_be_it = window && window->kind == WindowKind::kDialog && is_new(*window) &&
                           fold_case(window->executable) == fold_case(dialog_.executable);
    if (!may_be_it) return false;
    ASSIGN_OR_RETURN(const auto found, desktop_.ui_tree().focused(*window, clock_.now() + kElementTimeout));
    if (!found.element || !found.element->has(ElementState::kEditable)) return false;
    window_ = *window;
    field_ = *found.element;
    return true;
  }

  Result<void> open() {
    ASSIGN_OR_RETURN(before_, desktop_.windows().list());
    RETURN_IF_ERROR(desktop_.input().chord(dialog_.chord, checkpoint_));
    ASSIGN_OR_RETURN(const bool is_open, wait(kOpens, [this] { return look_for_dialog(); }));
    if (is_open) return ok();
    return Error{Code::kUnavailable, join(dialog_.chord, "+") + " did not open a Run dialog of " +
                                         escape_foreign(dialog_.executable) + " in time: close one that is open"};
  }

  Checkpoint watch() {
    return [this]() -> Result<void> {
      RETURN_IF_ERROR(checkpoint_());
      ASSIGN_OR_RETURN(const auto now, desktop_.windows().foreground());
      if (now && is_same(*now, window_)) return ok();
      return Error{Code::kAborted, "the keyboard focus left the Run dialog"};
    };
  }

  Result<bool> shows_the_command() {
    ASSIGN_OR_RETURN(const Element field, desktop_.ui_tree().refresh(field_.handle, clock_.now() + kElementTimeout));
    shown_ = field.text;
    return field.has(ElementState::kFocused) && field.text == dialog_.command_line;
  }

  // The dialog opens with its last command selected, so that the text replaces it. Reads the field afterwards, because
  // the dialog may complete what is typed.
  Result<void> type() {
    const auto text = decode_utf8(dialog_.command_line);
    if (!text) return Error{Code::kInvalidArgument, "the command line is not valid UTF-8"};
    const Progress typed = desktop_.input().type(*text, Milliseconds(0), watch());
    if (typed.stopped) return *typed.stopped;
    ASSIGN_OR_RETURN(const bool shows, wait(kReads, [this] { return shows_the_command(); }));
    if (shows) return ok();
    return Error{Code::kUnavailable, "the Run dialog shows " + quote_foreign(shown_) + " instead of " +
                                         quote_foreign(dialog_.command_line) + ", so enter was not pressed"};
  }

  // Not by a key, which could go to another window.
  void close() { (void)desktop_.windows().close(window_.id); }

  // True once the program has a window, or the shell reports an error.
  Result<bool> look_for_program() {
    ASSIGN_OR_RETURN(const auto windows, desktop_.windows().list());
    is_open_ = false;
    for (const WindowInfo& window : windows) {
      is_open_ = is_open_ || is_same(window, window_);
      if (!is_new(window) || is_same(window, window_)) continue;
      if (fold_case(window.executable) == fold_case(plan_.executable)) opened_ = window;
      const bool of_shell = fold_case(window.executable) == fold_case(window_.executable);
      if (of_shell && window.kind == WindowKind::kDialog) complaint_ = window;
    }
    return opened_.has_value() || complaint_.has_value();
  }

  Result<std::string> outcome() {
    // The key was sent, and a stop cannot take it back: the outcome tells what happened.
    const auto seen = wait(kStarts, [this] { return look_for_program(); });
    if (opened_) return "the Run dialog started it; its window " + quote_foreign(opened_->title) + " opened";
    if (complaint_) {
      return Error{Code::kUnavailable,
                   "the Run dialog reported an error, which is still open: " + quote_foreign(complaint_->title)};
    }
    if (seen && is_open_) return Error{Code::kUnavailable, "the Run dialog is still open after enter was pressed"};
    return std::string("the Run dialog took the command; it is not known whether the program runs");
  }

  Desktop& desktop_;
  const RunDialog& dialog_;
  const LaunchPlan& plan_;
  const Checkpoint& checkpoint_;
  const Clock& clock_;
  std::vector<WindowInfo> before_;
  WindowInfo window_;
  Element field_;
  std::string shown_;
  std::optional<WindowInfo> opened_;
  std::optional<WindowInfo> complaint_;
  bool is_open_ = true;
};

}  // namespace

Result<std::string> launch_by_run_dialog(Desktop& desktop, const RunDialog& dialog, const LaunchPlan& plan,
                                         const Checkpoint& checkpoint, const Clock& clock) {
  return Launch(desktop, dialog, plan, checkpoint, clock).run();
}

}  // namespace da::actuator
