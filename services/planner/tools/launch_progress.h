// Decides from one observation whether a launched application is ready for input. Pure; any thread.
//
// It is ready if a focused window is new since the launch, or if an old window answers the launch: it got the focus or
// another title, or the desktop's startup notification says so. Splash screens and tooltips do not count, nor does a
// dialog from before: it waits for its own answer, and keeps the program's other windows from taking any input.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"

namespace da::planner {

struct LaunchProgress {
  enum class Stage {
    kWaiting,
    kReady,
    kAnswered,  // The process exited with 0, and a window of the same program still has the focus.
    kOther,     // Another program that ran before has shown a window, while the started one has shown none yet.
    kBlocked,   // The program's window cannot take input, because a dialog is in the way.
    kEnded,     // The process exited with 0 and has no known window: another process may open one.
    kFailed     // The process exited with an error, and all its children have ended.
  };
  Stage stage = Stage::kWaiting;
  std::string blocker;      // kBlocked: the dialog's window id.
  bool by_program = false;  // kReady: the window is the program's, and not another's that opened meanwhile.
  std::string detail;       // Why it is not ready, for people; foreign text is escaped.
};

// before: the last observation before the launch. The newest entry of now.launched() is the application; the list is
// empty if the desktop does not track processes.
LaunchProgress launch_progress(const v1::Observation& before, const v1::Observation& now, const std::string& command);

// A text that changes while the application is active: its processes, all windows, and repaints of its own windows.
// `last` is the previous value.
std::string launch_activity(const v1::Observation& now, const std::string& last);

}  // namespace da::planner
