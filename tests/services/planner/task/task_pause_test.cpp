// A pause by a person while a task runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/services/planner/task/task_runner_fixture.h"

namespace da::planner {
namespace {

// A person pauses before the n-th call of the observer, and resumes when the task waits for it.
class PausedTaskTest : public TaskRunnerTest {
 protected:
  ~PausedTaskTest() override { resuming_.join(); }
  void pause_before_look(int n) {
    observer_.on_call = [this, n, calls = 0]() mutable {
      if (++calls == n) pause();
    };
  }
  void pause() {
    policy_.pause(v1::Pause::CAUSE_PERSON, "the mouse was moved");
    cancel_.hold("a person uses the desktop");  // PolicyWatch does the same.
    resuming_ = std::thread([this] {
      policy_.wait_until_awaited();
      if (while_paused) while_paused();
      policy_.resume();
    });
  }
  std::vector<v1::TaskState> states() {
    std::vector<v1::TaskState> found;
    for (const auto& fact : facts_of<v1::TaskStateChanged>()) found.push_back(fact.state());
    return found;
  }
  std::function<void()> while_paused;
  std::thread resuming_;
};

TEST_F(PausedTaskTest, StepRefusedByAPauseIsRetriedAfterANewObservation) {
  bool paused = false;
  policy_.intercept = [&](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    if (policy_.submitted.size() == 1 && !std::exchange(paused, true)) pause();
    return std::nullopt;
  };
  const auto result = run("press f5; press f6");
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(policy_.submitted.size(), 3u);
  EXPECT_EQ(world_.performed.size(), 2u);
  using enum v1::TaskState;
  const auto seen = states();
  const auto at = std::ranges::find(seen, TASK_STATE_PAUSED);
  ASSERT_NE(at, seen.end());
  EXPECT_EQ(*(at + 1), TASK_STATE_OBSERVING);
}

TEST_F(PausedTaskTest, PauseHoldsAnObservingTaskAndEachStepRunsOnce) {
  for (int n = 1; n <= 8; ++n) {
    SCOPED_TRACE(n);
    world_.performed.clear();
    cancel_.release();
    pause_before_look(n);
    const auto result = run("press f5; press f6");
    EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
    EXPECT_EQ(world_.performed.size(), 2u);
    if (!resuming_.joinable()) break;
    resuming_.join();
  }
  resuming_ = std::thread([] {});
}

TEST_F(PausedTaskTest, FieldGetsItsTextAfterAPersonMovedTheFocus) {
  world_.open_window({"form", "Form"});
  const auto add_field = [&](const std::string& id, const std::string& name, int y) {
    world_.add(
        {.id = id, .window_id = "form", .role = "text", .name = name, .bounds = {0, y, 80, 20}, .editable = true});
  };
  add_field("a", "First", 0);
  add_field("b", "Other", 40);
  while_paused = [this] { world_.focused_element = "b"; };
  int n = 1;
  for (;; ++n) {
    SCOPED_TRACE(n);
    world_.focused_element.clear();
    world_.element("a")->text.clear();
    cancel_.release();
    pause_before_look(n);
    const auto result = run(R"(type "x" into "First")");
    EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
    EXPECT_EQ(world_.element("a")->text, "x");
    EXPECT_EQ(world_.element("b")->text, "");
    if (!resuming_.joinable()) break;
    resuming_.join();
  }
  EXPECT_GT(n, 4) << "it looks before each of its steps";
  resuming_ = std::thread([] {});
}

TEST_F(PausedTaskTest, InterruptedStepEndsTheTaskAndIsNotRepeated) {
  auto reply = verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_INTERRUPTED, v1::Outcome::CODE_PAUSED);
  reply.mutable_outcome()->set_done(40);
  reply.mutable_outcome()->set_total(100);
  answer_submission(0, reply);
  const auto result = run("press f5; press f6");
  EXPECT_EQ(result.end(), v1::TASK_END_FAILED);
  EXPECT_NE(result.summary().find("interrupted after 40 of 100"), std::string::npos) << result.summary();
  EXPECT_EQ(policy_.submitted.size(), 1u);
  resuming_ = std::thread([] {});
}

TEST_F(PausedTaskTest, CancelAndHaltEndAPausedTask) {
  while_paused = [this] { cancel_.cancel("ctrl+c"); };
  pause_before_look(1);
  EXPECT_EQ(run("press f5").end(), v1::TASK_END_CANCELLED);
  EXPECT_TRUE(world_.performed.empty());
}

TEST_F(PausedTaskTest, StepRefusedBySuspensionIsRetriedLater) {
  for (const auto code : {v1::Outcome::CODE_SUSPENDED, v1::Outcome::CODE_SESSION_LOCKED}) {
    policy_.submitted.clear();
    answer_submission(0, verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, code));
    EXPECT_EQ(run("press f5").end(), v1::TASK_END_DONE);
    EXPECT_EQ(policy_.submitted.size(), 2u);
  }
  resuming_ = std::thread([] {});
}

}  // namespace
}  // namespace da::planner
