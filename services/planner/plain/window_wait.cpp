#include "services/planner/plain/window_wait.h"

#include <algorithm>
#include <optional>
#include <string>

#include "services/planner/plain/launch_progress.h"

namespace da::planner::plain {
namespace {

using Stage = LaunchProgress::Stage;

constexpr Milliseconds kLaunchWait{30'000};
constexpr Milliseconds kLongestLaunch{120'000};
// How long an application that does something is waited for once more.
constexpr Milliseconds kAfterActivity{10'000};
// A running instance that was told to open something does it by then, and mostly in a window or under a title of its
// own.
constexpr Milliseconds kAnswerShows{3'000};
// For a service that has to be started first, such as that of a terminal.
constexpr Milliseconds kOthersOpen{15'000};

class LaunchWait {
 public:
  LaunchWait(Sight& sight, const v1::Observation& before, const OpenApp& open)
      : clock_(sight.clock()), before_(before), open_(open), begin_(clock_.now()), active_(begin_) {}

  Milliseconds longest() const { return open_.within ? limit() : kLongestLaunch; }

  // True where the wait is over.
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

Result<void> await_launched_window(Sight& sight, const v1::Observation& before, const OpenApp& open) {
  LaunchWait wait(sight, before, open);
  const auto over = [&](const v1::Observation& now) -> Result<bool> { return wait.look(now); };
  ASSIGN_OR_RETURN([[maybe_unused]] const bool ended, sight.look_until(over, wait.longest(), View::kState));
  return wait.outcome();
}

}  // namespace da::planner::plain
