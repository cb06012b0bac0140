#include "services/policy/task/task_steps.h"

#include <gtest/gtest.h>

namespace da::policy {
namespace {

constexpr MonoTime kNow{};

v1::Outcome outcome(v1::Outcome::Kind kind) {
  v1::Outcome outcome;
  outcome.set_kind(kind);
  return outcome;
}

v1::Step step(const std::string& id = "s") {
  v1::Step step;
  step.set_step_id(id);
  step.mutable_action()->mutable_write()->set_text("héllo");
  return step;
}

TEST(TaskSteps, StepActsOnceAndItsOutcomeIsRecalled) {
  TaskSteps steps({}, kNow);
  EXPECT_FALSE(steps.claim(step(), "d", kNow)->has_value());
  EXPECT_EQ(steps.claim(step(), "d", kNow).error().code, Code::kAborted);
  steps.settle("s", outcome(v1::Outcome::KIND_UNKNOWN), "");
  EXPECT_EQ(steps.claim(step(), "d", kNow)->value().kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(steps.recall("s", "d")->value().kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(steps.claim(step(), "other action", kNow).error().code, Code::kFailedPrecondition);
}

TEST(TaskSteps, ARefusedStepMayBeSubmittedAgain) {
  TaskSteps steps({}, kNow);
  ASSERT_TRUE(steps.claim(step(), "d", kNow));
  steps.settle("s", outcome(v1::Outcome::KIND_REFUSED), "");
  EXPECT_FALSE(steps.claim(step(), "d", kNow)->has_value());
}

TEST(TaskSteps, StepsWhoseEffectWasNotObservedAreCounted) {
  TaskSteps steps({}, kNow);
  v1::Outcome launched = outcome(v1::Outcome::KIND_DISPATCHED);
  launched.set_tool("launch");
  v1::Outcome unseen = outcome(v1::Outcome::KIND_DISPATCHED);
  unseen.set_message("nothing changed\x1b within 1 s");
  const std::pair<std::string, v1::Outcome> settled[] = {{"a", outcome(v1::Outcome::KIND_CONFIRMED)},
                                                         {"b", launched},
                                                         {"c", outcome(v1::Outcome::KIND_REFUSED)},
                                                         {"d", outcome(v1::Outcome::KIND_NO_EFFECT)}};
  for (const auto& [id, told] : settled) steps.settle(id, told, "press " + id);
  v1::ApprovalRequest question;
  steps.tell_unproven(question);
  EXPECT_EQ(question.unproven_steps(), 1U);
  EXPECT_EQ(question.last_unproven(), "press d");
  steps.settle("e", unseen, "press e");
  steps.tell_unproven(question);
  EXPECT_EQ(question.unproven_steps(), 2U);
  EXPECT_EQ(question.last_unproven(), "press e (nothing changed\\x1b within 1 s)");
}

TEST(TaskSteps, ATaskActsNoMoreThanItsLimits) {
  Limits limits;
  limits.steps = 3;
  limits.text_characters = 12;
  limits.time = Milliseconds(1000);
  TaskSteps steps(limits, kNow);
  EXPECT_TRUE(steps.claim(step("1"), "d", kNow));
  EXPECT_TRUE(steps.claim(step("2"), "d", kNow));
  EXPECT_EQ(steps.claim(step("3"), "d", kNow).error().code, Code::kResourceExhausted) << "15 characters, not bytes";
  v1::Step launch;
  launch.mutable_action()->mutable_launch()->set_command("x");
  EXPECT_EQ(steps.claim(launch, "l", kNow + Milliseconds(1000)).error().code, Code::kResourceExhausted) << "too late";
  EXPECT_TRUE(steps.claim(launch, "l", kNow));
  EXPECT_EQ(steps.claim(step("5"), "d", kNow).error().code, Code::kResourceExhausted) << "a fourth step";
  steps.settle("1", outcome(v1::Outcome::KIND_DISPATCHED), "");
  EXPECT_TRUE(steps.claim(step("1"), "d", kNow)->has_value()) << "what was done is told, and not counted again";
}

TEST(TaskSteps, LaunchesHaveTheirOwnLimit) {
  Limits limits;
  limits.launches = 1;
  TaskSteps steps(limits, kNow);
  v1::Step launch;
  launch.mutable_action()->mutable_launch()->set_command("x");
  launch.set_step_id("1");
  EXPECT_TRUE(steps.claim(launch, "l", kNow));
  launch.set_step_id("2");
  EXPECT_EQ(steps.claim(launch, "l", kNow).error().code, Code::kResourceExhausted);
  EXPECT_TRUE(steps.claim(step("3"), "d", kNow));
}

using Admission = TaskUse::Admission;

TEST(TaskSteps, SubmissionsMayComeInABurstButNotForLong) {
  Limits limits;
  limits.steps_per_second = 10;
  TaskSteps steps(limits, kNow);
  const auto submit = [&](int ms) { return *steps.count_submission(kNow + Milliseconds(ms)); };
  for (int i = 0; i < 10; ++i) EXPECT_EQ(submit(0), Admission::kAccepted);
  EXPECT_EQ(submit(0), Admission::kRejectAndReport);
  EXPECT_EQ(submit(0), Admission::kReject) << "reported once";
  EXPECT_EQ(submit(100), Admission::kAccepted);
  EXPECT_EQ(submit(100), Admission::kReject);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(submit(5000), Admission::kAccepted);
  EXPECT_EQ(submit(5000), Admission::kRejectAndReport) << "a long pause saves up no more than a second";
}

TEST(TaskSteps, SubmissionsAlsoHaveATotalLimit) {
  Limits limits;
  limits.steps = 2;
  limits.steps_per_second = 1000;
  TaskSteps steps(limits, kNow);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(*steps.count_submission(kNow), Admission::kAccepted);
  EXPECT_EQ(*steps.count_submission(kNow + std::chrono::hours(1)), Admission::kRejectAndReport);
}

}  // namespace
}  // namespace da::policy
