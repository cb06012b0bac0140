// A pause by a person during a model's task.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/services/planner/model/model_planner_task.h"

namespace da::planner::model {
namespace {

// A pause by a person, who resumes once the task waits for it.
class PausedModelTest : public ModelPlannerTest {
 protected:
  ~PausedModelTest() override {
    if (resuming_.joinable()) resuming_.join();
  }
  void pause() {
    policy_.pause(v1::Pause::CAUSE_PERSON, "the mouse was moved");
    cancel_.hold("a person uses the desktop");  // PolicyWatch does the same.
    resuming_ = std::thread([this] {
      policy_.wait_until_awaited();
      policy_.resume();
    });
  }
  std::thread resuming_;
};

constexpr char kWasPaused[] = "A person had paused the task, and may have changed anything meanwhile.\n";

TEST_F(PausedModelTest, StepBlockedByAPauseIsReportedAndDecidedAgain) {
  model_.says(plan({press("f5"), press("f6")})).says(plan({press("f7")})).says(kDone);
  policy_.intercept = [this](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    if (policy_.submitted.size() == 1) pause();
    return std::nullopt;
  };
  const auto result = run();
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(world_.performed, std::vector<std::string>{"press key=\"f7\""});
  EXPECT_TRUE(has(told(1), kWasPaused)) << told(1);
  EXPECT_TRUE(has(told(1), "1. press key=\"f5\": not carried out, because a person paused the task")) << told(1);
  EXPECT_FALSE(has(told(2), kWasPaused)) << "it is told once: " << told(2);
}

TEST_F(PausedModelTest, PauseDropsPendingSteps) {
  add_save();
  model_.says(plan({press("f5"), click_described("Save")})).says(kDone);
  bool paused = false;
  on_state_ = [&](v1::TaskState state, const std::string&) {
    if (state == v1::TASK_STATE_AUTHORIZING && !std::exchange(paused, true)) pause();
  };
  const auto result = run();
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_TRUE(world_.performed.empty());
  EXPECT_TRUE(has(told(1), kWasPaused)) << told(1);
}

TEST_F(PausedModelTest, CancelledCallIsRepeatedWithinTheSameTurn) {
  bool paused = false;
  model_.before_each = [&] {
    if (!std::exchange(paused, true)) pause();
  };
  model_.says(kDone);
  const auto result = run();
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  ASSERT_EQ(model_.requests.size(), 2u);
  EXPECT_EQ(model_.requests[1].messages.size(), 1u) << "the question without an answer is left out";
  EXPECT_TRUE(has(told(1), "Turn 1 of 12.\nThe goal is: ")) << told(1);
  EXPECT_TRUE(has(told(1), kWasPaused)) << told(1);
}

TEST_F(PausedModelTest, PauseDuringARepairKeepsTheDialogueInOrder) {
  model_.before_each = [&] {
    if (model_.requests.size() == 2) pause();
  };
  model_.says("Sure!").says(plan({press("f5")})).says(kDone);
  const auto result = run();
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(world_.performed, std::vector<std::string>{"press key=\"f5\""});
}

}  // namespace
}  // namespace da::planner::model
