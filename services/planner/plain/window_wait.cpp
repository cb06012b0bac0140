#include "services/planner/plain/window_wait.h"

#include <algorithm>
#include <optional>
#include <string>

#include "services/planner/plain/launch_progress.h"

namespace da::planner::plain {
namespace {

constexpr Milliseconds kLaunchWait{30'000};
constexpr Milliseconds kLongestLaunch{120'000};
constexpr Milliseconds kAfterActivity{10'000};  // Each activity of the application extends the wait by this.
// Time for a running instance to show what it was told to open, usually in a new window or under a new title.
constexpr Milliseconds kAnswerShows{3'000};
// Time for another process to open the window, such as a terminal's service that has to start first.
constexpr Milliseconds kOthersOpen{15'000};

class LaunchWait {
 public:
  LaunchWait(TaskView& view, const v1::Observation& before, const OpenApp& open)
      : clock_(view.clock()), before_(before), open_(open), begin_(clock_.now()), active_(begin_) {}

  using Stage = LaunchProgress::Stage;

  Milliseconds longest() const { return open_.within ? limit() : kLongestLaunch; }

  // True when the wait is over.
  bool look(const v1::Observation& now) {
    std::string activity = launch_activity(now, activity_);
    if (activity != activity_) active_ = clock_.now();
    activity_ = std::move(activity);
    progress_ = launch_progress(before_, now, open_.command);
    windows_ = describe_windows(now.windows());
    const bool ended = progress_.stage == Stage::kAnswered || progress_.stage == Stage::kEnded;
    if (!ended) ended_at_.reset();
    if (ended && !ended_at_) ended_at_ = clock_.now();
    switch (progress_.stage) {
      case Stage::kReady:
      case Stage::kFailed: return true;
      case Stage::kAnswered:
        if (waited_since(*ended_at_) < kAnswerShows) return false;
        progress_.stage = Stage::kReady;
        return true;
      case Stage::kEnded:
        if (waited_since(*ended_at_) >= std::min(kOthersOpen, limit())) return true;
        break;
      case Stage::kWaiting: break;
    }
    return is_over();
  }

  Result<void> outcome() const {
    if (progress_.stage == Stage::kReady) return ok();
    if (progress_.stage == Stage::kFailed) return Error{Code::kFailedPrecondition, progress_.detail};
    const std::string started = progress_.stage == Stage::kWaiting ? "it was started, but " : "";
    return Error{Code::kFailedPrecondition,
                 started + progress_.detail + " within " +
                     std::to_string(std::chrono::duration_cast<std::chrono::seconds>(waited_since(begin_)).count()) +
                     " s; windows: " + windows_};
  }

 private:
  Milliseconds limit() const {
    if (!open_.within) return kLaunchWait;
    return std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(*open_.within));
  }
  Milliseconds waited_since(MonoTime since) const {
    return std::chrono::duration_cast<Milliseconds>(clock_.now() - since);
  }
  bool is_over() const {
    if (waited_since(begin_) < limit()) return false;
    return open_.within.has_value() || waited_since(active_) >= kAfterActivity ||
           waited_since(begin_) >= kLongestLaunch;
  }

  const Clock& clock_;
  const v1::Observation& before_;
  const OpenApp& open_;
  const MonoTime begin_;
  MonoTime active_;
  std::string activity_;
  std::optional<MonoTime> ended_at_;
  LaunchProgress progress_;
  std::string windows_;
};

}  // namespace

Result<void> await_launched_window(TaskView& view, const v1::Observation& before, const OpenApp& open) {
  LaunchWait wait(view, before, open);
  const auto over = [&](const v1::Observation& now) -> Result<bool> { return wait.look(now); };
  ASSIGN_OR_RETURN([[maybe_unused]] const bool ended, view.look_until(over, wait.longest(), View::kState));
  return wait.outcome();
}

}  // namespace da::planner::plain
