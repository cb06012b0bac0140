#include "services/planner/task/task_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/services/planner/task/task_runner_fixture.h"

namespace da::planner {
namespace {

// Bug: the task ended as unknown, although the step was not sent.
TEST_F(TaskRunnerTest, APolicyThatCannotBeReachedIsLostAndTheStepWasNotSubmitted) {
  policy_.is_there = false;
  const auto result = run("press ctrl+s");
  EXPECT_EQ(result.end(), v1::TASK_END_SERVICE_LOST);
  EXPECT_THAT(result.summary(), testing::HasSubstr("the step was not submitted"));
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(TaskRunnerTest, StatesNameTheSentenceAndPlansTheTarget) {
  ASSERT_EQ(run("open mousepad; click \"Document\"").end(), v1::TASK_END_DONE);
  std::vector<std::string> parts;
  std::string target;
  for (const bus::Fact& fact : facts()) {
    if (const auto* plan = fact.as<v1::Plan>(); plan != nullptr && plan->steps_size() > 0) {
      target = plan->steps(0).target();
    }
    const auto* state = fact.as<v1::TaskStateChanged>();
    if (state == nullptr || state->parts() == 0) continue;
    std::string part = std::to_string(state->part()) + "/" + std::to_string(state->parts()) + " " + state->part_text();
    if (parts.empty() || parts.back() != part) parts.push_back(std::move(part));
  }
  EXPECT_THAT(parts, testing::ElementsAre("1/2 open mousepad", "2/2 click \"Document\""));
  EXPECT_EQ(target, "text \"Document\" in mousepad");
}

constexpr auto kVerdictAllow = v1::Verdict::DECISION_ALLOW;
constexpr auto kDeny = v1::Verdict::DECISION_DENY;

TEST_F(TaskRunnerTest, WritesAndSavesAFileThroughTheDialog) {
  const auto result = run(R"(open mousepad; type "Grüße"; press ctrl+s; type "/tmp/x" into "Name"; click "Save")");
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(result.steps(), 5u) << "the field has the focus, so it is not clicked";
  EXPECT_EQ(world_.files, (std::map<std::string, std::string>{{"/tmp/x", "Grüße"}}));
  EXPECT_FALSE(result.last_image_hash().empty());
}

TEST_F(TaskRunnerTest, WritesAndSavesAFileWithEnter) {
  const auto result = run(R"(open mousepad; type "a"; press ctrl+s; type "/tmp/x"; press enter; type "b")");
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(world_.files["/tmp/x"], "a");
  EXPECT_EQ(world_.element("editor")->text, "ab");
}

TEST_F(TaskRunnerTest, PublishesEveryStateInOrder) {
  run("press f5");
  std::vector<v1::TaskState> states;
  for (const auto& fact : facts_of<v1::TaskStateChanged>()) {
    EXPECT_EQ(fact.header().task_id(), "t1");
    states.push_back(fact.state());
  }
  using enum v1::TaskState;
  EXPECT_EQ(states,
            (std::vector{TASK_STATE_OBSERVING, TASK_STATE_DECIDING, TASK_STATE_AUTHORIZING, TASK_STATE_ACTING,
                         TASK_STATE_VERIFYING, TASK_STATE_OBSERVING, TASK_STATE_DECIDING, TASK_STATE_TERMINATED}));
}

TEST_F(TaskRunnerTest, EveryStepIsPublishedInAPlanBeforeItIsSubmitted) {
  run("press f5; press f6");
  const auto plans = facts_of<v1::Plan>();
  ASSERT_EQ(plans.size(), 3u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(plans[i].steps(0).step_id(), policy_.submitted[i].step().step_id());
    EXPECT_FALSE(plans[i].frame_id().empty());
  }
  EXPECT_NE(plans[0].steps(0).step_id(), plans[1].steps(0).step_id());
  EXPECT_TRUE(plans[2].has_done());
}

TEST_F(TaskRunnerTest, ChecksAreSubmittedAndThenAnsweredAndPublished) {
  world_.open_window({"w", "Report"});
  EXPECT_EQ(run("check window \"Report\" is open").end(), v1::TASK_END_DONE);
  EXPECT_EQ(policy_.submitted.size(), 1u);
  const auto answers = facts_of<v1::StepAnswered>();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_TRUE(answers[0].ok());
  EXPECT_EQ(answers[0].tool(), "check_element_property");
  EXPECT_EQ(answers[0].step_id(), policy_.submitted[0].step().step_id());
}

TEST_F(TaskRunnerTest, FailedCheckFailsTheTask) {
  const auto result = run("check window \"Report\" is open; press f5");
  EXPECT_EQ(result.end(), v1::TASK_END_FAILED);
  EXPECT_NE(result.summary().find("no window's title contains"), std::string::npos) << result.summary();
  EXPECT_TRUE(world_.performed.empty());
}

TEST_F(TaskRunnerTest, ADenialEndsTheTask) {
  answer_submission(1, verdict(kDeny));
  const auto result = run("press f5; press f6; press f7");
  EXPECT_EQ(result.end(), v1::TASK_END_DENIED);
  EXPECT_EQ(result.steps(), 1u);
  EXPECT_EQ(world_.performed.size(), 1u);
}

TEST_F(TaskRunnerTest, ADeniedCheckIsNotAnswered) {
  answer_submission(0, verdict(kDeny));
  EXPECT_EQ(run("check window \"Report\" is open").end(), v1::TASK_END_DENIED);
  EXPECT_TRUE(facts_of<v1::StepAnswered>().empty());
}

TEST_F(TaskRunnerTest, OutcomesEndTheTaskAsTheContractSays) {
  using v1::Outcome;
  const std::tuple<Outcome::Kind, Outcome::Code, v1::TaskEnd> cases[] = {
      {Outcome::KIND_UNKNOWN, Outcome::CODE_UNSPECIFIED, v1::TASK_END_UNKNOWN_OUTCOME},
      {Outcome::KIND_REFUSED, Outcome::CODE_HALTED, v1::TASK_END_HALTED},
      {Outcome::KIND_REFUSED, Outcome::CODE_EXPIRED, v1::TASK_END_EXPIRED},
      {Outcome::KIND_REFUSED, Outcome::CODE_NOT_FOUND, v1::TASK_END_FAILED},
      {Outcome::KIND_FAILED, Outcome::CODE_DESKTOP_ERROR, v1::TASK_END_FAILED},
      {Outcome::KIND_INTERRUPTED, Outcome::CODE_STALE_TARGET, v1::TASK_END_FAILED},
      {Outcome::KIND_REFUSED, Outcome::CODE_SERVICE_LOST, v1::TASK_END_SERVICE_LOST}};
  for (const auto& [kind, code, end] : cases) {
    policy_.submitted.clear();
    answer_submission(0, verdict(kVerdictAllow, kind, code));
    EXPECT_EQ(run("press f5; press f6").end(), end) << Outcome::Kind_Name(kind) << " " << Outcome::Code_Name(code);
    EXPECT_EQ(policy_.submitted.size(), 1u) << "nothing is repeated";
  }
}

TEST_F(TaskRunnerTest, AStaleTargetIsObservedAndTriedAgain) {
  answer_submission(0, verdict(kVerdictAllow, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET));
  const auto result = run("press f5; press f6");
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  ASSERT_EQ(policy_.submitted.size(), 3u);
  EXPECT_EQ(policy_.submitted[1].step().action().press().key(), "f5");
  EXPECT_NE(policy_.submitted[0].step().step_id(), policy_.submitted[1].step().step_id());
  EXPECT_EQ(world_.performed.size(), 2u);
}

TEST_F(TaskRunnerTest, ATargetThatStaysStaleEndsTheTask) {
  policy_.intercept = [](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    return verdict(kVerdictAllow, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET);
  };
  limits_.max_stale_retries = 1;  // A second retry would wait first.
  EXPECT_EQ(run("press f5").end(), v1::TASK_END_FAILED);
  EXPECT_EQ(policy_.submitted.size(), 2u);
}

}  // namespace
}  // namespace da::planner
