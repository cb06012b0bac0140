// Whether a launched application is ready for input, as far as one observation tells. Pure; any thread.
//
// Ready is a window with the focus that was not there before the launch, or one that was and answers the launch: it got
// the focus or another title, or says by the desktop's startup notification that it does. A splash screen or a tooltip
// is no such window.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"

namespace da::planner::plain {

struct LaunchProgress {
  enum class Stage {
    kWaiting,
    kReady,
    kAnswered,  // The process has ended well, and a window of the same program has the focus that had it before.
    kEnded,     // It has ended well, and no window of it is known: another process may open one.
    kFailed     // It has ended otherwise, and what it started has ended too.
  };
  Stage stage = Stage::kWaiting;
  std::string detail;  // What there is instead of a ready window, for people; foreign text escaped.
};

// before: the windows just before the launch. The newest program in now.launched() is the one; none where the desktop
// does not follow programs.
LaunchProgress launch_progress(const v1::Observation& before, const v1::Observation& now, const std::string& command);

// Changes while the application does something: its processes, the windows, and what shows in its windows. `last` is
// the value before.
std::string launch_activity(const v1::Observation& now, const std::string& last);

}  // namespace da::planner::plain
