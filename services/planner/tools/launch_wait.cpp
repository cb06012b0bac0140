#include "services/planner/tools/launch_wait.h"

#include <algorithm>
#include <optional>
#include <string>

#include "lib/base/text.h"
#include "services/planner/tools/launch_progress.h"

namespace da::planner {
namespace {

constexpr Milliseconds kLaunchWait{30'000};
constexpr Milliseconds kLongestLaunch{120'000};
constexpr Milliseconds kAfterActivity{10'000};  // Each activity of the application extends the wait by this.
// Time for a running instance to show what it was told to open, usually in a new window or under a new title.
constexpr Milliseconds kAnswerShows{3'000};
constexpr const char* kUnmanaged =
    "its window opened, but no window manager runs on this display, so no window gets the keyboard focus: start one, "
    "for "
    "example openbox, and try again";

class LaunchWait {
 public:
  LaunchWait(TaskView& view, const v1::Observation& before, const Launched& launched)
      : view_(view),
        clock_(view.clock()),
        before_(before),
        launched_(launched),
        begin_(clock_.now()),
        active_(begin_) {}

  using Stage = LaunchProgress::Stage;

  Milliseconds longest() const { return launched_.within ? limit() : kLongestLaunch; }

  // True when the wait is over.
  bool look(const v1::Observation& now) {
    std::string activity = launch_activity(now, activity_);
    if (activity != activity_) active_ = clock_.now();
    activity_ = std::move(activity);
    progress_ = launch_progress(before_, now, launched_.command);
    windows_ = describe_windows(now.windows());
    if (now.focus_unmanaged() && progress_.stage == Stage::kWaiting && opened_unfocused(now)) {
      progress_ = {.stage = Stage::kFailed, .detail = kUnmanaged};
    }
    const bool ended = progress_.stage == Stage::kOther || progress_.stage == Stage::kAnswered ||
                       progress_.stage == Stage::kEnded || progress_.stage == Stage::kBlocked;
    if (!ended) ended_at_.reset();
    if (ended && !ended_at_) ended_at_ = clock_.now();
    switch (progress_.stage) {
      case Stage::kReady:
      case Stage::kFailed: return true;
      case Stage::kAnswered:
        if (waited_since(*ended_at_) < kAnswerShows) return false;
        progress_.stage = Stage::kReady;
        return true;
      // A client that waits for the running program, whose window this is, does not end.
      case Stage::kOther:
        if (waited_since(*ended_at_) < std::min(launched_.others_open, limit())) return false;
        progress_.stage = Stage::kReady;
        return true;
      case Stage::kBlocked: return waited_since(*ended_at_) >= kAnswerShows;
      case Stage::kEnded:
        if (waited_since(*ended_at_) >= std::min(launched_.others_open, limit())) return true;
        break;
      case Stage::kWaiting: break;
    }
    return is_over();
  }

  Result<Proof> outcome() const {
    if (progress_.stage == Stage::kReady) return progress_.by_program ? Proof::kSeen : Proof::kByOutcome;
    if (progress_.stage == Stage::kFailed) return Error{Code::kFailedPrecondition, progress_.detail};
    if (progress_.stage == Stage::kBlocked) {
      return Error{Code::kFailedPrecondition,
                   "it was started, but " + progress_.detail + buttons_of(progress_.blocker) + ": answer it first"};
    }
    const std::string started = progress_.stage == Stage::kWaiting ? "it was started, but " : "";
    return Error{Code::kFailedPrecondition,
                 started + progress_.detail + " within " +
                     std::to_string(std::chrono::duration_cast<std::chrono::seconds>(waited_since(begin_)).count()) +
                     " s; windows: " + windows_};
  }

 private:
  // Without a window manager, nothing else gives the focus to the program's window.
  bool opened_unfocused(const v1::Observation& now) const {
    return std::ranges::any_of(now.windows(), [&](const v1::Window& window) {
      return !window.focused() && std::ranges::find(before_.windows(), window.window_id(), &v1::Window::window_id) ==
                                      before_.windows().end();
    });
  }
  // " (buttons: "Save", "Cancel")"
  std::string buttons_of(const std::string& window_id) const {
    const auto tree = view_.ui_tree();
    if (!tree) return {};
    std::string buttons;
    for (const v1::UiNode& node : tree->nodes()) {
      const bool button = node.window_id() == window_id && node.role() == "push button" && !node.name().empty();
      if (button && has_state(node, v1::UI_STATE_SHOWING)) {
        buttons += (buttons.empty() ? " (buttons: " : ", ") + quote_foreign(node.name(), 40);
      }
    }
    return buttons.empty() ? buttons : buttons + ")";
  }
  Milliseconds limit() const { return launched_.within.value_or(kLaunchWait); }
  Milliseconds waited_since(MonoTime since) const {
    return std::chrono::duration_cast<Milliseconds>(clock_.now() - since);
  }
  bool is_over() const {
    if (waited_since(begin_) < limit()) return false;
    return launched_.within.has_value() || waited_since(active_) >= kAfterActivity ||
           waited_since(begin_) >= kLongestLaunch;
  }

  TaskView& view_;
  const Clock& clock_;
  const v1::Observation& before_;
  const Launched& launched_;
  const MonoTime begin_;
  MonoTime active_;
  std::string activity_;
  std::optional<MonoTime> ended_at_;
  LaunchProgress progress_;
  std::string windows_;
};

}  // namespace

Result<Proof> await_launched_window(TaskView& view, const v1::Observation& before, const Launched& launched) {
  LaunchWait wait(view, before, launched);
  const auto over = [&](const v1::Observation& now) -> Result<bool> { return wait.look(now); };
  ASSIGN_OR_RETURN([[maybe_unused]] const bool ended, view.look_until(over, wait.longest(), View::kState));
  return wait.outcome();
}

}  // namespace da::planner
