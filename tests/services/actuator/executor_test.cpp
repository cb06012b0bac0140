#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lib/base/path_text.h"
#include "tests/acted.h"
#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(ExecutorTest, AGrantedActionHappensOnce) {
  const auto action = write("Grüße");
  const auto evidence = prepare(action);
  EXPECT_EQ(world_->text_of("Text"), "");
  const auto permission = grant(evidence);
  const auto outcome = execute(action, permission);
  EXPECT_TRUE(test::acted(outcome)) << outcome.message();
  EXPECT_EQ(outcome.done(), 5U);
  EXPECT_EQ(world_->text_of("Text"), "Grüße");
  const auto again = execute(action, permission);
  EXPECT_TRUE(test::acted(again));
  EXPECT_EQ(world_->text_of("Text"), "Grüße");
}

TEST_F(ExecutorTest, NothingHappensWithoutASignature) {
  const auto action = write("x");
  auto forged = grant(prepare(action));
  forged.mutable_signature()->back() = static_cast<char>(forged.signature().back() ^ 1);
  EXPECT_EQ(execute(action, forged).code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(execute(action, TestPolicy().sign(policy_.claims(prepare(action)))).code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(execute(action, v1::Grant()).code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(world_->text_of("Text"), "");
}

TEST_F(ExecutorTest, AGrantCoversExactlyOneActionAndItsEvidence) {
  const auto change = [&](const std::function<void(v1::GrantClaims&)>& edit) {
    const auto action = write("x");
    auto claims = policy_.claims(prepare(action));
    edit(claims);
    return execute(action, policy_.sign(claims)).code();
  };
  EXPECT_EQ(change([](auto& claims) { claims.set_boot_id("other"); }), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(change([](auto& claims) { claims.set_challenge("other"); }), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(change([](auto& claims) { claims.set_action_digest("other"); }), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(change([](auto& claims) { claims.set_evidence_digest("other"); }), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(change([](auto& claims) { claims.set_desktop_id("x11:1"); }), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(change([](auto& claims) { claims.set_task_id("other"); }), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(change([](auto& claims) { claims.set_step_id("other"); }), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(execute(write("y"), grant(prepare(write("x")))).code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(world_->text_of("Text"), "");
}

TEST_F(ExecutorTest, StepIdCannotForgeALogLine) {
  v1::ExecuteRequest request;
  *request.mutable_action() = write("x");
  v1::PrepareRequest prepare;
  *prepare.mutable_action() = request.action();
  prepare.set_task_id("task");
  prepare.set_step_id("step\n[critical] halted");
  auto claims = policy_.claims(executor_.prepare(prepare)->evidence);
  claims.set_step_id(prepare.step_id());
  *request.mutable_grant() = policy_.sign(claims);
  std::ostringstream log;
  const auto usual = spdlog::default_logger();
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log)));
  const auto outcome = executor_.execute(request, [] { return false; });
  spdlog::set_default_logger(usual);
  EXPECT_TRUE(test::acted(outcome)) << outcome.message();
  EXPECT_EQ(outcome.step_id(), prepare.step_id());
  const std::string lines = log.str();
  EXPECT_THAT(lines, HasSubstr("step\\n[critical] halted"));
  EXPECT_EQ(std::ranges::count(lines, '\n'), 1);
}

TEST_F(ExecutorTest, AGrantExpiresOnTheActuatorsClock) {
  const auto action = write("x");
  const auto permission = grant(prepare(action));
  clock_.advance(Milliseconds(2001));
  const auto outcome = execute(action, permission);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_THAT(outcome.message(), HasSubstr("expired"));
}

TEST_F(ExecutorTest, TaskThatPreparesEndlesslyEvictsNoOtherTasksGrant) {
  const auto action = write("x");
  const auto permission = grant(prepare(action));
  v1::PrepareRequest flood;
  *flood.mutable_action() = write("y");
  flood.set_task_id("another");
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(executor_.prepare(flood));
  const auto outcome = execute(action, permission);
  EXPECT_TRUE(test::acted(outcome)) << outcome.message();
  EXPECT_EQ(world_->text_of("Text"), "x");
}

TEST_F(ExecutorTest, TypingIsRefusedWhenAnotherWindowHasTheFocus) {
  const auto action = write("x");
  const auto permission = grant(prepare(action));
  world_->open_window("Password?", "/usr/bin/dialog", {100, 100, 300, 100});
  const auto outcome = execute(action, permission);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(world_->text_of("Text"), "");
}

TEST_F(ExecutorTest, TypingStopsWhenAnotherWindowGetsTheFocus) {
  const auto action = write(std::string(1000, 'x'));
  v1::ExecuteRequest request;
  *request.mutable_action() = action;
  *request.mutable_grant() = grant(prepare(action));
  int asked = 0;
  const auto outcome = executor_.execute(request, [&] {
    if (++asked == 3) world_->open_window("Popup", "/usr/bin/popup", {0, 0, 10, 10});
    return false;
  });
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(outcome.total(), 1000U);
  EXPECT_EQ(outcome.done(), world_->text_of("Text").size());
  EXPECT_LT(outcome.done(), 1000U);
}

class TypingEndsItsWindow : public ExecutorTest, public testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(WithEnter, TypingEndsItsWindow, testing::Bool());

// Regression: "exit\n" closed its terminal as intended, and was reported as interrupted after 5 of 5 characters.
TEST_P(TypingEndsItsWindow, IsDispatchedAndPressesNothingMore) {
  v1::Action action;
  action.mutable_keyboard_type()->set_text("exit\n");
  action.mutable_keyboard_type()->set_submit(GetParam());
  v1::ExecuteRequest request;
  *request.mutable_action() = action;
  *request.mutable_grant() = grant(prepare(action));
  int asked = 0;
  const auto outcome = executor_.execute(request, [&] {
    if (++asked == 2) world_->open_window("Next", "/usr/bin/next", {0, 0, 10, 10});
    return false;
  });
  EXPECT_EQ(world_->text_of("Text"), "exit\n");
  EXPECT_EQ(outcome.done(), 5U);
  // Enter would go to the window that now has the focus.
  EXPECT_EQ(outcome.kind() == v1::Outcome::KIND_INTERRUPTED, GetParam());
  EXPECT_EQ(test::acted(outcome), !GetParam());
  EXPECT_EQ(outcome.total(), GetParam() ? 6U : 5U);
  EXPECT_NE(outcome.message(), "");
}

TEST_F(ExecutorTest, TypingStopsAtAHalt) {
  const auto action = write(std::string(1000, 'x'));
  v1::ExecuteRequest request;
  *request.mutable_action() = action;
  *request.mutable_grant() = grant(prepare(action));
  int asked = 0;
  const auto outcome = executor_.execute(request, [&] {
    if (++asked == 2) executor_.halt("enough");
    return false;
  });
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_HALTED);
  EXPECT_EQ(run(write("y")).code(), v1::Outcome::CODE_HALTED);
  ASSERT_TRUE(executor_.resume());
  EXPECT_TRUE(test::acted(run(write("y"))));
}

TEST_F(ExecutorTest, AClickIsRefusedWhenSomethingCoversItsTarget) {
  const auto action = click(300, 200);
  const auto permission = grant(prepare(action));
  world_->open_window("Ad", "/usr/bin/ad", {250, 150, 200, 200});
  EXPECT_EQ(execute(action, permission).code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), IsEmpty());
}

TEST_F(ExecutorTest, AChangeFarFromTheTargetDoesNotRefuseAClick) {
  const auto action = click(300, 200);
  const auto permission = grant(prepare(action));
  world_->open_window("Clock", "/usr/bin/clock", {1100, 700, 100, 50});
  EXPECT_TRUE(test::acted(execute(action, permission)));
  EXPECT_THAT(world_->inputs(), ElementsAre("move 300,200", "click 300,200"));
}

TEST_F(ExecutorTest, ElementIdIsUnknownInAnotherTaskAndStaleWithoutItsElement) {
  shared_.elements.enter_task("task");
  const auto tree = desktop_->ui_tree().read(std::nullopt, {5000, clock_.now()});
  const auto save = std::ranges::find(tree->elements, "Save", &Element::name);
  v1::Action action;
  action.mutable_ui_click()->set_element_id(shared_.elements.id_of(save->handle));
  EXPECT_TRUE(test::acted(run(action)));
  const auto permission = grant(prepare(action));
  world_->change([](auto& windows) { windows.clear(); });
  EXPECT_EQ(execute(action, permission).code(), v1::Outcome::CODE_STALE_TARGET);
  shared_.elements.enter_task("another task");
  EXPECT_EQ(prepare(action).problem_code(), v1::Outcome::CODE_STALE_TARGET);
}

// Regression: it was reported as failed, though the application may still carry it out.
TEST_F(ExecutorTest, UnansweredAccessibilityActionHasAnUnknownOutcome) {
  shared_.elements.enter_task("task");
  const auto tree = desktop_->ui_tree().read(std::nullopt, {5000, clock_.now()});
  const auto save = std::ranges::find(tree->elements, "Save", &Element::name);
  world_->change([](auto& windows) {
    for (auto& element : windows.front().elements) element.slow = true;
  });
  v1::Action action;
  action.mutable_ui_click()->set_element_id(shared_.elements.id_of(save->handle));
  const auto permission = grant(prepare(action));
  EXPECT_EQ(execute(action, permission).kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(execute(action, permission).kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_THAT(world_->inputs(), ElementsAre("invoke Save"));
}

// Regression: the rules judged the covering window, while the accessibility action reached the one below.
TEST_F(ExecutorTest, EvidenceNamesTheElementsOwnWindowUnderAnyCover) {
  shared_.elements.enter_task("task");
  const auto tree = desktop_->ui_tree().read(std::nullopt, {5000, clock_.now()});
  const auto save = std::ranges::find(tree->elements, "Save", &Element::name);
  world_->open_window("Cover", "/usr/bin/cover", {0, 0, 1280, 800});
  v1::Action action;
  action.mutable_ui_click()->set_element_id(shared_.elements.id_of(save->handle));
  EXPECT_EQ(prepare(action).target_window().window_id(), save->window_id);
}

TEST_F(ExecutorTest, EvidenceOfADragNamesItsEnd) {
  world_->open_window("Terminal", "/usr/bin/xterm", {900, 600, 300, 150});
  v1::Action action;
  for (const auto& [x, y] : {std::pair(300, 200), std::pair(1000, 650)}) {
    auto* point = action.mutable_drag()->add_path();
    point->set_x(x);
    point->set_y(y);
  }
  const auto evidence = prepare(action);
  EXPECT_NE(evidence.target_window().title(), "Terminal");
  EXPECT_EQ(evidence.drop_window().title(), "Terminal");
  const auto permission = grant(evidence);
  world_->change(
      [](auto& windows) { windows.remove_if([](const auto& window) { return window.title == "Terminal"; }); });
  EXPECT_EQ(execute(action, permission).code(), v1::Outcome::CODE_STALE_TARGET);
}

// Regression: only the ends of a drag were described and judged.
TEST_F(ExecutorTest, EvidenceOfADragNamesTheWindowsThatItPasses) {
  world_->open_window("Password safe", "/usr/bin/safe", {500, 300, 200, 200});
  world_->open_window("Terminal", "/usr/bin/xterm", {900, 600, 300, 150});
  v1::Action action;
  for (const auto& [x, y] : {std::pair(300, 200), std::pair(1000, 650)}) {
    auto* point = action.mutable_drag()->add_path();
    point->set_x(x);
    point->set_y(y);
  }
  const auto evidence = prepare(action);
  ASSERT_EQ(evidence.passed_windows_size(), 1);
  EXPECT_EQ(evidence.passed_windows(0).title(), "Password safe");
  EXPECT_EQ(evidence.passed_windows(0).executable(), "/usr/bin/safe");
  const auto permission = grant(evidence);
  world_->open_window("Note", "/usr/bin/note", {700, 420, 60, 60});
  const auto outcome = execute(action, permission);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(outcome.message(), HasSubstr("the windows that the drag passes have changed"));
}

// Regression: X coordinates have 16 bits, so 65836 became 300, in another window than the evidence named.
TEST_F(ExecutorTest, DragWithAPointOutsideTheDesktopIsRefused) {
  using Path = std::vector<std::pair<int, int>>;
  for (const Path& path : {Path{{65836, 200}, {310, 210}}, Path{{300, 200}, {65836, 210}, {320, 220}},
                           Path{{300, 200}, {310, 65746}}, Path{{300, 200}, {-1, 210}}}) {
    v1::Action action;
    for (const auto& [x, y] : path) {
      auto* point = action.mutable_drag()->add_path();
      point->set_x(x);
      point->set_y(y);
    }
    const auto evidence = prepare(action);
    EXPECT_EQ(evidence.problem_code(), v1::Outcome::CODE_INVALID);
    EXPECT_THAT(evidence.problem(), testing::HasSubstr("is outside the desktop"));
    EXPECT_EQ(execute(action, grant(evidence)).kind(), v1::Outcome::KIND_REFUSED);
  }
}

TEST_F(ExecutorTest, TitleOfTwoWindowsIsAmbiguous) {
  world_->open_notes();
  v1::Action action;
  action.mutable_focus_window()->set_title("notes");
  const auto evidence = prepare(action);
  EXPECT_EQ(evidence.problem_code(), v1::Outcome::CODE_AMBIGUOUS);
  EXPECT_EQ(execute(action, grant(evidence)).kind(), v1::Outcome::KIND_REFUSED);
}

TEST_F(ExecutorTest, AWindowOfAProgramWithMoreRightsIsRefusedByName) {
  world_->open_window("Registry", "/usr/bin/registry", {600, 400, 200, 200});
  world_->change([](auto& windows) { windows.front().takes_input = false; });
  v1::Action focus;
  focus.mutable_focus_window()->set_title("Registry");
  for (const v1::Action& action : {write("x"), click(650, 450), focus}) {
    const auto evidence = prepare(action);
    EXPECT_EQ(evidence.problem_code(), v1::Outcome::CODE_OUT_OF_REACH);
    EXPECT_THAT(evidence.problem(), HasSubstr("input to \"Registry\""));
    EXPECT_EQ(execute(action, grant(evidence)).code(), v1::Outcome::CODE_OUT_OF_REACH);
  }
}

TEST_F(ExecutorTest, NoProgramIsTerminatedForAWindowWhoseOwnerIsUnknown) {
  world_->open_window("Victim", "/usr/bin/victim", {600, 400, 200, 200});
  v1::Action action;
  action.mutable_app_terminate()->set_title("Victim");
  EXPECT_EQ(prepare(action).problem(), "");
  world_->change([](auto& windows) {
    windows.front().pid = 0;
    windows.front().executable.clear();
  });
  const auto evidence = prepare(action);
  EXPECT_EQ(evidence.problem_code(), v1::Outcome::CODE_UNSUPPORTED);
  EXPECT_THAT(evidence.problem(), HasSubstr("unknown which program owns \"Victim\""));
  EXPECT_EQ(execute(action, grant(evidence)).kind(), v1::Outcome::KIND_REFUSED);
  action.mutable_app_terminate()->clear_title();
  action.mutable_app_terminate()->set_process("victim");
  EXPECT_EQ(prepare(action).problem_code(), v1::Outcome::CODE_NOT_FOUND);
  EXPECT_THAT(world_->inputs(), IsEmpty());
}

TEST_F(ExecutorTest, DeletesExactlyTheFileThatWasPrepared) {
  const auto file = directory_ / "victim";
  std::ofstream(file) << "x";
  v1::Action action;
  action.mutable_file_delete()->set_path(text_of(file));
  const auto permission = grant(prepare(action));
  std::filesystem::remove(file);
  std::ofstream(directory_ / "other") << "precious";
  std::filesystem::rename(directory_ / "other", file);
  EXPECT_EQ(execute(action, permission).code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(run(action).kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_FALSE(std::filesystem::exists(file));
}

// Regression: the person who was asked saw an unrelated picture of the desktop and no facts about the file.
TEST_F(ExecutorTest, EvidenceOfAFileHasItsSizeButNoPicture) {
  const auto file = directory_ / "victim";
  std::ofstream(file) << "12345";
  v1::PrepareRequest request;
  request.set_task_id("task");
  request.set_with_picture(true);
  request.mutable_action()->mutable_file_delete()->set_path(text_of(file));
  const auto sealed = executor_.prepare(request);
  ASSERT_TRUE(sealed);
  const v1::Evidence& evidence = sealed->evidence;
  EXPECT_TRUE(evidence.has_file_size());
  EXPECT_EQ(evidence.file_size(), 5u);
  EXPECT_TRUE(evidence.picture_png().empty());
  *request.mutable_action() = write("x");
  EXPECT_FALSE(executor_.prepare(request)->evidence.picture_png().empty());
}

TEST_F(ExecutorTest, DeletesNoDirectoryAndNoRelativePath) {
  for (const auto& path : {directory_, std::filesystem::path("relative")}) {
    v1::Action action;
    action.mutable_file_delete()->set_path(text_of(path));
    EXPECT_EQ(run(action).code(), v1::Outcome::CODE_INVALID) << path;
  }
}

TEST_F(ExecutorTest, PasteReportsWhetherTheTextWasFetched) {
  v1::Action action;
  action.mutable_paste()->set_text("漢字");
  EXPECT_EQ(run(action).kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(world_->text_of("Text"), "漢字");
}

TEST_F(ExecutorTest, ArgumentsThatTheContractForbidsAreRefusedAtPrepare) {
  v1::PrepareRequest request;
  request.mutable_action()->mutable_mouse()->set_clicks(9);
  EXPECT_FALSE(executor_.prepare(request));
}

}  // namespace
}  // namespace da::actuator
