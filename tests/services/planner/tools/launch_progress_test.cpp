#include "services/planner/tools/launch_progress.h"

#include <gtest/gtest.h>

namespace da::planner {
namespace {

using Stage = LaunchProgress::Stage;

struct Shown {
  std::string id;
  std::string title;
  std::string executable;
  std::uint32_t pid = 0;
  v1::Window::Kind kind = v1::Window::KIND_UNSPECIFIED;
};

// The first window has the focus.
v1::Observation seen(const std::vector<Shown>& windows) {
  v1::Observation observation;
  for (const Shown& shown : windows) {
    v1::Window& window = *observation.add_windows();
    window.set_window_id(shown.id);
    window.set_title(shown.title);
    window.set_executable(shown.executable);
    window.set_pid(shown.pid);
    window.set_kind(shown.kind);
    if (observation.has_focused_window()) continue;
    window.set_focused(true);
    *observation.mutable_focused_window() = window;
  }
  return observation;
}

v1::LaunchedProcess& launched(v1::Observation& observation, std::vector<std::uint32_t> pids) {
  v1::LaunchedProcess& program = *observation.add_launched();
  program.set_pid(7);
  program.mutable_pids()->Assign(pids.begin(), pids.end());
  program.set_starting(true);
  return program;
}

const Shown kOther{"o", "Other", "/usr/bin/other", 1};

TEST(LaunchProgress, ANewWindowWithTheFocusIsReady) {
  EXPECT_EQ(launch_progress(seen({kOther}), seen({{"n", "New", "/usr/bin/app", 7}, kOther}), "app").stage,
            Stage::kReady);
}

// Bug: a reminder of a running mail program counted as the window of a program that was still starting.
TEST(LaunchProgress, AWindowOfAnotherProgramIsNotTheLaunchedOnes) {
  const Shown reminder{"r", "Reminder", "/usr/bin/other", 1};
  auto now = seen({reminder, kOther});
  auto& program = launched(now, {7});
  EXPECT_EQ(launch_progress(seen({kOther}), now, "app").stage, Stage::kOther);
  // A command may ask a running program to open something.
  program.clear_pids();
  program.set_starting(false);
  program.set_ended(true);
  const auto handed_over = launch_progress(seen({kOther}), now, "xdg-open file");
  EXPECT_EQ(handed_over.stage, Stage::kReady);
  EXPECT_FALSE(handed_over.by_program);
}

TEST(LaunchProgress, TheFirstWindowOfAnotherProgramMayBeForTheLaunch) {
  auto now = seen({{"n", "Report", "/usr/bin/viewer", 9}, kOther});
  launched(now, {7});
  EXPECT_EQ(launch_progress(seen({kOther}), now, "app").stage, Stage::kReady);
  EXPECT_FALSE(launch_progress(seen({kOther}), now, "app").by_program);
  auto own = seen({{"n", "App", "/usr/bin/app", 7}, kOther});
  launched(own, {7});
  EXPECT_TRUE(launch_progress(seen({kOther}), own, "app").by_program);
}

// Bug: a splash screen counted as the application's window.
TEST(LaunchProgress, ASplashScreenIsNotReadyAndIsNamedAsOne) {
  const auto now = seen({{"s", "Office", "/usr/bin/office", 7, v1::Window::KIND_SPLASH}, kOther});
  const auto progress = launch_progress(seen({kOther}), now, "office");
  EXPECT_EQ(progress.stage, Stage::kWaiting);
  EXPECT_EQ(progress.detail, "only its splash screen \"Office\" opened");
}

// Bug: the text of the next sentence answered the question.
TEST(LaunchProgress, AQuestionFromBeforeIsInTheWay) {
  const Shown question{"q", "Save Changes", "/usr/bin/editor", 3, v1::Window::KIND_DIALOG};
  const Shown editor{"e", "Untitled 1", "/usr/bin/editor", 3};
  const auto before = seen({question, editor});
  auto now = seen({question, {"e", "Untitled 2", "/usr/bin/editor", 3}});
  now.mutable_windows(1)->set_blocked_by("q");
  const auto progress = launch_progress(before, now, "editor");
  EXPECT_EQ(progress.stage, Stage::kBlocked);
  EXPECT_EQ(progress.blocker, "q");
  EXPECT_NE(progress.detail.find("Save Changes"), std::string::npos);
}

TEST(LaunchProgress, ADialogThatTheProgramOpensFirstIsReady) {
  auto now =
      seen({{"q", "Welcome", "/usr/bin/editor", 7, v1::Window::KIND_DIALOG}, {"e", "Editor", "/usr/bin/editor", 7}});
  now.mutable_windows(1)->set_blocked_by("q");
  EXPECT_EQ(launch_progress(seen({kOther}), now, "editor").stage, Stage::kReady);
}

// Bug: a running script of the same interpreter, whose title ticked, counted as the window of a script that failed.
TEST(LaunchProgress, AnotherProgramOfTheSameInterpreterIsNotTheLaunchedOne) {
  const Shown clock{"c", "12:00:00", "/usr/bin/python3.11", 3};
  auto now = seen({{"c", "12:00:01", "/usr/bin/python3.11", 3}, kOther});
  auto& program = launched(now, {7});
  EXPECT_EQ(launch_progress(seen({clock, kOther}), now, "python3 b.py").stage, Stage::kWaiting);
  program.clear_pids();
  program.set_ended(true);
  program.set_exit_status(1);
  EXPECT_EQ(launch_progress(seen({clock, kOther}), now, "python3 b.py").stage, Stage::kFailed);
  program.set_exit_status(0);
  const auto handed_over = launch_progress(seen({clock, kOther}), now, "python3 b.py");
  EXPECT_EQ(handed_over.stage, Stage::kReady);
  EXPECT_FALSE(handed_over.by_program);
}

TEST(LaunchProgress, AnExistingWindowIsReadyWhenItGetsTheFocusOrAnotherTitle) {
  const Shown old{"b", "Page 1 - Browser", "/usr/bin/browser", 3};
  const Shown tab{"b", "Page 2 - Browser", "/usr/bin/browser", 3};
  EXPECT_EQ(launch_progress(seen({kOther, old}), seen({old, kOther}), "browser x.html").stage, Stage::kReady);
  EXPECT_EQ(launch_progress(seen({old, kOther}), seen({tab, kOther}), "/opt/browser x.html").stage, Stage::kReady);
  EXPECT_EQ(launch_progress(seen({old, kOther}), seen({old, kOther}), "browser x.html").stage, Stage::kWaiting);
  EXPECT_EQ(launch_progress(seen({old, kOther}), seen({tab, kOther}), "editor").stage, Stage::kWaiting);
}

TEST(LaunchProgress, WindowsOfLaunchedProcessesCountForAnyProgramName) {
  const Shown old{"b", "A", "/usr/lib/soffice.bin", 9};
  auto now = seen({{"b", "B", "/usr/lib/soffice.bin", 9}});
  launched(now, {7, 9});
  EXPECT_EQ(launch_progress(seen({old}), now, "libreoffice").stage, Stage::kReady);
}

TEST(LaunchProgress, WindowWithTheStartupNotificationIsReady) {
  const Shown old{"b", "A", "/usr/bin/app", 3};
  auto now = seen({old});
  launched(now, {3}).set_starting(false);
  EXPECT_EQ(launch_progress(seen({old}), now, "app").stage, Stage::kReady);
}

TEST(LaunchProgress, FailedApplicationIsReportedWithStatusAndLastLine) {
  auto now = seen({kOther});
  v1::LaunchedProcess& program = launched(now, {});
  program.set_ended(true);
  program.set_exit_status(3);
  program.set_last_output("cannot open \x1b display");
  const auto progress = launch_progress(seen({kOther}), now, "app");
  EXPECT_EQ(progress.stage, Stage::kFailed);
  EXPECT_EQ(progress.detail,
            "it ended with exit status 3; the last line that it printed: \"cannot open \\x1b display\"");
}

TEST(LaunchProgress, WrapperMayExitWhileItsChildRuns) {
  auto now = seen({kOther});
  v1::LaunchedProcess& program = launched(now, {8});
  program.set_ended(true);
  program.set_exit_status(1);
  EXPECT_EQ(launch_progress(seen({kOther}), now, "app").stage, Stage::kWaiting);
}

TEST(LaunchProgress, ExitWithoutErrorMayBeTheAnswerOfARunningInstance) {
  const Shown old{"b", "A", "/usr/bin/app", 3};
  auto now = seen({old});
  launched(now, {}).set_ended(true);
  EXPECT_EQ(launch_progress(seen({old}), now, "app").stage, Stage::kAnswered);
  EXPECT_EQ(launch_progress(seen({old}), now, "tool").stage, Stage::kEnded);
}

TEST(LaunchActivity, ChangesWithProcessesWindowsAndRepaints) {
  auto now = seen({{"s", "Splash", "", 7}});
  launched(now, {7});
  now.mutable_windows(0)->mutable_bounds()->set_width(100);
  now.mutable_windows(0)->mutable_bounds()->set_height(100);
  const std::string first = launch_activity(now, "");
  EXPECT_EQ(launch_activity(now, first), first);
  now.set_changed_tiles(1);
  now.mutable_changed_area()->set_width(10);
  now.mutable_changed_area()->set_height(10);
  const std::string second = launch_activity(now, first);
  EXPECT_NE(second, first);
  EXPECT_NE(launch_activity(now, second), second);
  now.mutable_changed_area()->set_x(500);
  EXPECT_EQ(launch_activity(now, first), first);
  now.mutable_launched(0)->add_pids(8);
  EXPECT_NE(launch_activity(now, first), first);
}

}  // namespace
}  // namespace da::planner
