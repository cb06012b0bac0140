#include "services/actuator/desktop/run_dialog.h"

#include <windows.h>

#include <filesystem>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

class Win32RunDialogTest : public ::testing::Test {
 protected:
  // Wine has no Win+R: a program of the tests shows the same dialog of shell32.
  void SetUp() override {
    const std::uint32_t pid = stage_.start_beside("win32_run_dialog.exe", {stage_.file("ready").string()});
    ASSERT_TRUE(stage_.eventually([&] { return std::filesystem::exists(stage_.file("ready")); }));
    owner_ = win32::executable_of(pid);
  }

  Result<std::string> launch(const LaunchPlan& plan, const Checkpoint& checkpoint = go_on) {
    ASSIGN_OR_RETURN(RunDialog dialog, applications_.run_dialog(plan));
    dialog.executable = owner_;
    return launch_by_run_dialog(stage_.desktop(), dialog, plan, checkpoint, system_clock());
  }

  Stage stage_;
  Applications& applications_ = stage_.desktop().applications();
  std::string owner_;
};

// The command has no arguments, because Wine's dialog takes the whole line for a path.
TEST_F(Win32RunDialogTest, ProgramStarts) {
  const auto plan = applications_.resolve("notepad");
  ASSERT_OK(plan);
  const auto launched = launch(*plan);
  ASSERT_OK(launched);
  std::optional<WindowInfo> window;
  EXPECT_TRUE(stage_.eventually([&] { return (window = stage_.find_window("Notepad")).has_value(); })) << *launched;
  if (window)
    ASSERT_OK(stage_.desktop().windows().terminate(window->pid, window->process_start, go_on, stage_.deadline()));
}

TEST_F(Win32RunDialogTest, ProgramThatIsGoneIsReported) {
  const auto launched = launch({R"(C:\no-such-directory\gone.exe)", {"gone"}});
  ASSERT_FALSE(launched) << *launched;
  EXPECT_EQ(launched.error().code, Code::kUnavailable) << launched.error().message;
}

TEST_F(Win32RunDialogTest, NoKeyGoesToAnotherWindowThatGetsTheFocus) {
  const WindowInfo other = stage_.start_target("input");
  stage_.forget_events();
  int calls = 0;
  std::string dialog;
  const auto launched = launch({std::string(R"(C:\)") + std::string(200, 'x') + ".exe", {"x"}}, [&]() -> Result<void> {
    const auto front = stage_.desktop().windows().foreground();
    const bool is_dialog = front && *front && (*front)->executable == owner_;
    if (is_dialog && ++calls == 3) return stage_.desktop().windows().focus(other.id, stage_.deadline());
    return ok();
  });
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error().code, Code::kAborted) << launched.error().message;
  EXPECT_TRUE(stage_.events("c").empty());
}

TEST_F(Win32RunDialogTest, CommandThatTheDialogWouldReadOtherwiseIsRefused) {
  const std::string program = R"(C:\windows\notepad.exe)";
  const auto refused = [&](const std::string& word) {
    const auto dialog = applications_.run_dialog({program, {"notepad", word}});
    return !dialog && dialog.error().code == Code::kInvalidArgument;
  };
  EXPECT_TRUE(refused("%TEMP%"));
  EXPECT_TRUE(refused("two\nlines"));
  EXPECT_TRUE(refused(std::string(300, 'x')));
  const auto dialog = applications_.run_dialog({program, {"notepad", "a b"}});
  ASSERT_OK(dialog);
  EXPECT_EQ(dialog->command_line, program + " \"a b\"");
  EXPECT_TRUE(dialog->executable.ends_with("\\explorer.exe")) << dialog->executable;
}

}  // namespace
}  // namespace da::actuator
