#include "services/actuator/desktop/run_dialog.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "services/actuator/desktop/fake/fake_desktop.h"
#include "services/actuator/launch_by.h"
#include "tests/acted.h"
#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class RunDialogTest : public testing::Test {
 protected:
  RunDialogTest() {
    world_->install_run_dialog();
    world_->install("paint", "/opt/paint");
    world_->open_window("Other", "/usr/bin/other", {600, 100, 400, 300});
  }

  LaunchPlan plan(const std::string& command) { return desktop_->applications().resolve(command).value(); }
  Result<std::string> launch(
      const LaunchPlan& plan, const Checkpoint& checkpoint = [] { return ok(); }) {
    const auto dialog = desktop_->applications().run_dialog(plan);
    if (!dialog) return dialog.error();
    return launch_by_run_dialog(*desktop_, *dialog, plan, checkpoint, system_clock());
  }
  bool has_entered() const { return std::ranges::count(world_->inputs(), "tap enter") > 0; }
  std::string typed_text() const { return world_->text_of("Open:"); }

  std::shared_ptr<fake::FakeWorld> world_ = std::make_shared<fake::FakeWorld>();
  std::unique_ptr<Desktop> desktop_ = open_fake_desktop(world_);
};

TEST_F(RunDialogTest, ProgramStartsWithItsArguments) {
  const auto launched = launch(plan("notes /tmp/a.txt"));
  ASSERT_TRUE(launched) << launched.error().message;
  EXPECT_THAT(*launched, HasSubstr("\"/tmp/a.txt - Notes\" opened"));
  EXPECT_EQ(world_->titles().front(), "/tmp/a.txt - Notes");
  EXPECT_EQ(world_->inputs().front(), "chord win+r");
}

TEST_F(RunDialogTest, CommandOfTheLastTimeIsReplaced) {
  ASSERT_TRUE(launch(plan("notes /tmp/a.txt")));
  const auto launched = launch(plan("paint"));
  ASSERT_TRUE(launched) << launched.error().message;
  EXPECT_EQ(world_->titles().front(), "paint");
}

TEST_F(RunDialogTest, ErrorOfTheDialogIsReported) {
  const auto launched = launch({.executable = "/opt/gone", .argv = {"gone"}});
  EXPECT_EQ(launched.error().code, Code::kUnavailable);
  EXPECT_THAT(launched.error().message, HasSubstr("\"Run error\""));
}

TEST_F(RunDialogTest, NothingIsTypedWhereNoDialogOpens) {
  const LaunchPlan paint = plan("paint");
  RunDialog dialog = desktop_->applications().run_dialog(paint).value();
  dialog.chord = {"win", "x"};
  const auto launched = launch_by_run_dialog(
      *desktop_, dialog, paint, [] { return ok(); }, system_clock());
  EXPECT_EQ(launched.error().code, Code::kUnavailable);
  EXPECT_THAT(launched.error().message, HasSubstr("win+x did not open a Run dialog"));
  EXPECT_FALSE(has_entered());
}

TEST_F(RunDialogTest, NothingIsTypedIntoADialogOfAnotherProgram) {
  const LaunchPlan paint = plan("paint");
  RunDialog dialog = desktop_->applications().run_dialog(paint).value();
  dialog.executable = "/usr/bin/real-shell";
  EXPECT_EQ(launch_by_run_dialog(
                *desktop_, dialog, paint, [] { return ok(); }, system_clock())
                .error()
                .code,
            Code::kUnavailable);
  EXPECT_EQ(typed_text(), "");
  EXPECT_FALSE(has_entered());
}

// The dialog of an earlier launch may hold anything.
TEST_F(RunDialogTest, NothingIsTypedIntoADialogThatWasOpenBefore) {
  world_->change([](auto& windows) {
    windows.front().executable = fake::FakeWorld::kShell;
    windows.front().kind = WindowKind::kDialog;
    windows.front().elements.push_back({.id = "field", .role = "text", .name = "Field", .editable = true});
    windows.front().focused_element = "field";
  });
  const LaunchPlan paint = plan("paint");
  RunDialog dialog = desktop_->applications().run_dialog(paint).value();
  dialog.chord = {"win", "x"};
  EXPECT_FALSE(launch_by_run_dialog(
      *desktop_, dialog, paint, [] { return ok(); }, system_clock()));
  EXPECT_EQ(world_->text_of("Field"), "");
}

TEST_F(RunDialogTest, TypingStopsWhenAnotherWindowGetsTheFocus) {
  const LaunchPlan notes = plan("notes /tmp/" + std::string(200, 'x'));
  const auto launched = launch(notes, [&]() -> Result<void> {
    if (typed_text().size() < 64) return ok();
    world_->change([](auto& windows) {
      std::ranges::find(windows, "Other", &fake::FakeWindow::title)->minimized = false;
      windows.splice(windows.begin(), windows, std::ranges::find(windows, "Other", &fake::FakeWindow::title));
    });
    return ok();
  });
  EXPECT_EQ(launched.error().code, Code::kAborted);
  EXPECT_EQ(typed_text().size(), 64U);
  EXPECT_FALSE(has_entered());
}

TEST_F(RunDialogTest, TextThatTheDialogHasCompletedIsNotEntered) {
  const auto launched = launch(plan("paint"), [&]() -> Result<void> {
    if (typed_text() != "/opt/paint") return ok();
    world_->change([](auto& windows) { windows.front().elements.front().text += " /destroy"; });
    return ok();
  });
  EXPECT_EQ(launched.error().code, Code::kUnavailable);
  EXPECT_THAT(launched.error().message, HasSubstr("shows \"/opt/paint /destroy\" instead of \"/opt/paint\""));
  EXPECT_FALSE(has_entered());
  EXPECT_THAT(world_->titles(), Not(Contains("Run")));
}

TEST_F(RunDialogTest, EachCheckpointCanStopIt) {
  const LaunchPlan paint = plan("paint");
  int stopped = 0;
  for (;; ++stopped) {
    int left = stopped;
    const auto launched = launch(paint, [&]() -> Result<void> {
      if (left-- > 0) return ok();
      return Error{Code::kCancelled, "stopped"};
    });
    if (has_entered()) break;
    EXPECT_EQ(launched.error().code, Code::kCancelled);
    EXPECT_THAT(world_->titles(), Not(Contains("paint")));
    world_->change([](auto& windows) { windows.remove_if([](const auto& window) { return window.title == "Run"; }); });
  }
  EXPECT_GE(stopped, 5);  // Before the chord, for the dialog, the text, its reading, and enter.
}

TEST_F(RunDialogTest, ConfigurationChoosesTheRunDialogWhereThereIsOne) {
  const auto chosen = [&](const std::string& toml) {
    return launch_by(service::Config::parse("[actuator]\n" + toml, "actuator.toml").value(), *desktop_);
  };
  EXPECT_EQ(chosen("").value(), LaunchBy::kProcess);
  EXPECT_EQ(chosen("launch_by = \"process\"").value(), LaunchBy::kProcess);
  EXPECT_EQ(chosen("launch_by = \"run-dialog\"").value(), LaunchBy::kRunDialog);
  EXPECT_THAT(chosen("launch_by = \"shell\"").error().message, HasSubstr("use \"process\" or \"run-dialog\""));
  desktop_ = open_fake_desktop(std::make_shared<fake::FakeWorld>());
  EXPECT_EQ(chosen("launch_by = \"process\"").value(), LaunchBy::kProcess);
  EXPECT_EQ(chosen("launch_by = \"run-dialog\"").error().code, Code::kInvalidArgument);
}

class RunDialogExecutorTest : public ExecutorTest {
 protected:
  RunDialogExecutorTest() { world_->install_run_dialog(); }
  v1::Outcome launch(const std::string& command) {
    Executor executor(shared_, "fake:0", *GrantCheck::create(policy_.public_key_hex()), *ledger_, stops_, bus_, clock_,
                      {.launch_by = LaunchBy::kRunDialog});
    v1::PrepareRequest request;
    request.set_task_id("task");
    request.set_step_id("step");
    request.mutable_action()->mutable_launch()->set_command(command);
    const auto evidence = executor.prepare(request);
    v1::ExecuteRequest execute;
    *execute.mutable_action() = request.action();
    *execute.mutable_grant() = grant(evidence.value().evidence);
    return executor.execute(execute, [] { return false; });
  }
};

TEST_F(RunDialogExecutorTest, LaunchIsDispatchedByTheKeyboard) {
  const v1::Outcome outcome = launch("notes");
  EXPECT_TRUE(test::acted(outcome)) << outcome.message();
  EXPECT_THAT(world_->inputs(), Contains("chord win+r"));
  EXPECT_THAT(world_->inputs(), Contains("tap enter"));
  EXPECT_THAT(desktop_->applications().launched(), IsEmpty());
}

TEST_F(RunDialogExecutorTest, LaunchThatFailsInTheDialogIsAFailure) {
  world_->install("broken", "/opt/two words");
  const v1::Outcome outcome = launch("broken");
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_FAILED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_DESKTOP_ERROR);
}

}  // namespace
}  // namespace da::actuator
