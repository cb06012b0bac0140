// How tasks end: lost services, limits, cancels, dry runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/services/planner/task/task_runner_fixture.h"

namespace da::planner {
namespace {

TEST_F(TaskRunnerTest, ALostServiceIsNamed) {
  policy_.intercept = [](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    return Error{Code::kUnavailable, "da-policy is gone"};
  };
  auto result = run("wait 1 seconds");
  EXPECT_EQ(result.end(), v1::TASK_END_SERVICE_LOST);
  EXPECT_TRUE(result.summary().starts_with("policy: ")) << result.summary();
  observer_.lost = Error{Code::kDeadlineExceeded, "da-observer did not answer"};
  result = run("press f5");
  EXPECT_EQ(result.end(), v1::TASK_END_SERVICE_LOST);
  EXPECT_TRUE(result.summary().starts_with("observer: ")) << result.summary();
}

TEST_F(TaskRunnerTest, APolicyThatIsLostDuringAWriteLeavesItInDoubt) {
  bool lost = false;
  policy_.intercept = [&](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    lost = true;
    return Error{Code::kUnavailable, "da-policy is gone"};
  };
  // The actuator may work on the step for seconds and show no image, so the task ends without a picture.
  observer_.on_call = [&] { EXPECT_FALSE(lost) << "the observer was asked after the end"; };
  const auto result = run("press f5");
  EXPECT_EQ(result.end(), v1::TASK_END_UNKNOWN_OUTCOME);
  EXPECT_NE(result.summary().find("da-policy is gone"), std::string::npos) << result.summary();
}

// Bug: a write that hung until the time limit ended the task as failed, although it may have been carried out.
TEST_F(TaskRunnerTest, WriteThatHangsUntilTheTimeLimitIsInDoubt) {
  policy_.intercept = [this](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    world_.advance(std::chrono::seconds(20));
    return Error{Code::kDeadlineExceeded, "da-policy did not answer in time"};
  };
  auto result = run("press f5", std::chrono::seconds(15));
  EXPECT_EQ(result.end(), v1::TASK_END_UNKNOWN_OUTCOME);
  EXPECT_NE(result.summary().find("the time limit of the task is over"), std::string::npos) << result.summary();
  result = run("wait 1 seconds", std::chrono::seconds(15));
  EXPECT_EQ(result.end(), v1::TASK_END_FAILED) << "a safe step is nobody's worry";
}

TEST_F(TaskRunnerTest, AnObserverThatCannotSeeFailsTheTask) {
  observer_.lost = Error{Code::kFailedPrecondition, "the session is locked"};
  const auto result = run("press f5");
  EXPECT_EQ(result.end(), v1::TASK_END_FAILED);
  EXPECT_EQ(result.summary(), "the session is locked");
}

TEST_F(TaskRunnerTest, ACancellationAbortsAStepThatWaitsForAPerson) {
  policy_.waits_for_a_person = true;
  std::thread other([&] { cancel_.cancel("ctrl+c"); });
  const auto result = run("press f5");
  other.join();
  EXPECT_EQ(result.end(), v1::TASK_END_CANCELLED);
  EXPECT_EQ(result.summary(), "cancelled: ctrl+c");
  EXPECT_TRUE(world_.performed.empty());
}

TEST_F(TaskRunnerTest, TheTimeLimitEndsATask) {
  const auto result = run("wait for \"Never\" 60 seconds", std::chrono::seconds(15));
  EXPECT_EQ(result.end(), v1::TASK_END_FAILED);
  EXPECT_NE(result.summary().find("the time limit of the task is over"), std::string::npos) << result.summary();
}

TEST_F(TaskRunnerTest, TaskIsClosedAtThePolicyForEveryEnd) {
  run("press f5");
  answer_submission(policy_.submitted.size(), verdict(v1::Verdict::DECISION_DENY));
  run("press f5");
  EXPECT_EQ(policy_.closed_tokens, (std::vector<std::string>{"secret", "secret"}));
}

TEST_F(TaskRunnerTest, TheTokenIsInNoFact) {
  run(R"(open mousepad; type "a"; check window "Mousepad" is open)");
  for (const bus::Fact& fact : facts()) EXPECT_EQ(fact.message->DebugString().find("secret"), std::string::npos);
}

TEST_F(TaskRunnerTest, ADryRunJudgesEveryStepAndExecutesNothing) {
  const auto result =
      run_dry(R"(open mousepad; type "a" into "Name"; click "Save"; check "x" is visible; wait 1 seconds)");
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(policy_.submitted.size(), 3u) << "what acts on a target that does not show is not judged";
  EXPECT_EQ(facts_of<v1::Plan>().size(), 6u) << "all are shown, and the end";
  EXPECT_NE(result.summary().find("5 steps"), std::string::npos) << result.summary();
  EXPECT_NE(result.summary().find(", 2 cannot be judged before their targets show;"), std::string::npos)
      << result.summary();
  for (const auto& request : policy_.submitted) EXPECT_TRUE(request.dry_run());
  EXPECT_TRUE(world_.performed.empty());
  for (const auto& fact : facts_of<v1::TaskStateChanged>()) EXPECT_NE(fact.state(), v1::TASK_STATE_ACTING);
}

// Bug: the text was "dry run: 1 steps, 0 of them would need an approval".
TEST_F(TaskRunnerTest, ADryRunCountsInWords) {
  EXPECT_EQ(run_dry("press f5").summary(), "dry run: 1 step, which needs no approval; nothing was executed");
  EXPECT_EQ(run_dry("press f5; press f6").summary(),
            "dry run: 2 steps, none of which needs an approval; nothing was executed");
  policy_.intercept = [](const v1::SubmitRequest&) { return verdict(v1::Verdict::DECISION_ASK); };
  EXPECT_EQ(run_dry("press f5").summary(), "dry run: 1 step, which would need an approval; nothing was executed");
  EXPECT_EQ(run_dry("press f5; press f6").summary(),
            "dry run: 2 steps, 2 of them would need an approval; nothing was executed");
}

TEST_F(TaskRunnerTest, DryRunIsDeniedOnlyByJudgedSteps) {
  answer_submission(0, verdict(v1::Verdict::DECISION_DENY));
  const auto result = run_dry(R"(press f5; double-click "Save"; scroll down 2 at "List"; click at 5,6)");
  EXPECT_EQ(result.end(), v1::TASK_END_DENIED);
  EXPECT_EQ(policy_.submitted.size(), 2u);
  EXPECT_NE(result.summary().find("1 of 4 steps would be denied, 2 cannot"), std::string::npos) << result.summary();
  EXPECT_TRUE(world_.performed.empty());
}

TEST_F(TaskRunnerTest, CancelledDryRunReportsTheCancel) {
  cancel_.cancel("ctrl+c");
  const auto result = run_dry("press f5");
  EXPECT_EQ(result.end(), v1::TASK_END_CANCELLED);
  EXPECT_EQ(result.summary(), "cancelled: ctrl+c");
}

TEST_F(TaskRunnerTest, DryRunContinuesAfterADenialAndReportsIt) {
  answer_submission(0, verdict(v1::Verdict::DECISION_DENY));
  const auto result = run_dry("press f5; press f6");
  EXPECT_EQ(result.end(), v1::TASK_END_DENIED);
  EXPECT_EQ(policy_.submitted.size(), 2u);
  EXPECT_NE(result.summary().find("1 of 2 steps would be denied"), std::string::npos) << result.summary();
}

}  // namespace
}  // namespace da::planner
