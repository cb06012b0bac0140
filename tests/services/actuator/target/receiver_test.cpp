// The window that gets the input is the one that is judged: launchers, modal dialogs, thieves of the focus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ReceiverTest : public ExecutorTest {
 protected:
  // A window beside the editor that gets all keys.
  void open_launcher() {
    world_->open_window("launch", "/usr/bin/python3", {0, 0, 1280, 24});
    world_->change([](auto& windows) {
      windows.front().unmanaged = true;
      windows.front().takes_keyboard = true;
    });
  }
  // A dialog with the button "Keep" that blocks the editor.
  std::string open_question() {
    const std::string dialog = world_->open_window("Question", "/usr/bin/notes", {700, 500, 200, 100});
    world_->add_element(dialog, {.role = "push button", .name = "Keep", .bounds = {720, 540, 80, 30}});
    world_->change([&](auto& windows) { windows.back().blocked_by = dialog; });
    return dialog;
  }
  v1::Evidence prepare_keys_to(const std::string& window_id) {
    v1::PrepareRequest request;
    *request.mutable_action() = write("ls");
    request.set_task_id("task");
    request.set_step_id("step");
    request.set_keys_to_window(window_id);
    return executor_.prepare(request)->evidence;
  }
  v1::Action click_button(const std::string& name) {
    shared_.elements.enter_task("task");
    const auto tree = desktop_->ui_tree().read(std::nullopt, {5000, clock_.now()});
    const auto found = std::ranges::find(tree->elements, name, &Element::name);
    v1::Action action;
    action.mutable_ui_click()->set_element_id(shared_.elements.id_of(found->handle));
    return action;
  }
};

// Bug: the editor was judged, and the launcher ran the text.
TEST_F(ReceiverTest, LauncherThatTookTheKeyboardIsJudgedForKeys) {
  EXPECT_FALSE(prepare(write("ls")).took_keyboard());
  open_launcher();
  const auto evidence = prepare(write("ls"));
  EXPECT_TRUE(evidence.took_keyboard());
  EXPECT_EQ(evidence.foreground().title(), "launch");
  EXPECT_EQ(evidence.foreground().executable(), "/usr/bin/python3");
}

// Bug: the window of a field was minimized before the step was judged, and another window got the text.
TEST_F(ReceiverTest, KeysThatAreMeantForAnotherWindowAreRefused) {
  const std::string editor = prepare(write("ls")).foreground().window_id();
  EXPECT_EQ(prepare_keys_to(editor).problem(), "");
  world_->open_window("Thief", "/usr/bin/thief", {0, 0, 100, 100});
  const auto evidence = prepare_keys_to(editor);
  EXPECT_EQ(evidence.problem_code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(evidence.problem(), HasSubstr("Thief"));
  EXPECT_EQ(prepare_keys_to("").problem(), "") << "any window";
}

TEST_F(ReceiverTest, LauncherThatOpensAfterTheGrantGetsNoKeys) {
  const auto evidence = prepare(write("ls"));
  open_launcher();
  const auto outcome = execute(write("ls"), grant(evidence));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), IsEmpty());
}

TEST_F(ReceiverTest, LauncherDoesNotChangeWhatIsJudgedForClicks) {
  open_launcher();
  const auto evidence = prepare(click(200, 200));
  EXPECT_FALSE(evidence.took_keyboard());
  EXPECT_THAT(evidence.foreground().title(), HasSubstr("Notes"));
}

// Bug: "done", though the dialog took the click.
TEST_F(ReceiverTest, BlockedWindowTakesNoClickAndTheDialogIsNamed) {
  open_question();
  for (const v1::Action& action : {click_button("Save"), click(200, 200)}) {
    const auto evidence = prepare(action);
    EXPECT_EQ(evidence.problem_code(), v1::Outcome::CODE_NOT_ACTIONABLE);
    EXPECT_THAT(evidence.problem(), HasSubstr("Question"));
    EXPECT_THAT(evidence.problem(), HasSubstr("Keep"));
  }
  EXPECT_EQ(prepare(click_button("Keep")).problem(), "");
}

TEST_F(ReceiverTest, BlockedWindowWithTheKeyboardFocusGetsNoKeys) {
  open_question();
  world_->change([](auto& windows) { std::swap(windows.front(), windows.back()); });
  EXPECT_THAT(prepare(write("x")).problem(), HasSubstr("Question"));
}

TEST_F(ReceiverTest, PointerMayPassOverABlockedWindow) {
  open_question();
  v1::Action move = click(200, 200);
  move.mutable_mouse()->set_action(v1::Mouse::GESTURE_MOVE);
  EXPECT_EQ(prepare(move).problem(), "");
}

TEST_F(ReceiverTest, DialogThatOpensAfterTheGrantStopsTheClick) {
  const auto action = click_button("Save");
  const auto evidence = prepare(action);
  open_question();
  const auto outcome = execute(action, grant(evidence));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_THAT(outcome.message(), HasSubstr("Question"));
}

}  // namespace
}  // namespace da::actuator
