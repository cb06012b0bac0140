#include "services/policy/task/tasks.h"

#include <gtest/gtest.h>

#include "lib/contract/observation_token.h"

namespace da::policy {
namespace {

v1::Outcome outcome(v1::Outcome::Kind kind) {
  v1::Outcome outcome;
  outcome.set_kind(kind);
  return outcome;
}

constexpr MonoTime kNow{};

v1::Step step(const std::string& id = "s") {
  v1::Step step;
  step.set_step_id(id);
  step.mutable_action()->mutable_write()->set_text("héllo");
  return step;
}

TEST(Tasks, TokenFindsOnlyItsOwnTask) {
  Tasks tasks;
  const auto a = tasks.open({.goal = "goal a"}, {}, kNow);
  const auto b = tasks.open({.goal = "goal b"}, {}, kNow);
  EXPECT_EQ(a.token.size(), 64u);
  EXPECT_EQ(tasks.find(a.token)->task_id, a.task.task_id);
  EXPECT_EQ(tasks.find(b.token)->goal, "goal b");
  EXPECT_EQ(tasks.find("").error().code, Code::kUnauthenticated);
  EXPECT_EQ(tasks.find(std::string(64, '0')).error().code, Code::kUnauthenticated);
  EXPECT_EQ(tasks.find(a.task.task_id).error().code, Code::kUnauthenticated);
}

TEST(Tasks, TokenOfAClosedTaskIsRefused) {
  Tasks tasks;
  const auto a = tasks.open({}, {}, kNow);
  EXPECT_EQ(tasks.close(a.token)->task_id, a.task.task_id);
  EXPECT_FALSE(tasks.find(a.token));
  EXPECT_FALSE(tasks.close(a.token));
  EXPECT_FALSE(tasks.claim(a.task.task_id, step(), "d", kNow));
  EXPECT_EQ(tasks.count(), 0u);
}

TEST(Tasks, HeartbeatNamesTasksWithTimeLeft) {
  Tasks tasks;
  const auto lasting = tasks.open({}, {}, kNow);
  Limits short_time;
  short_time.time = std::chrono::seconds(1);
  tasks.open({}, short_time, kNow);
  EXPECT_EQ(tasks.heartbeat(kNow).open_tasks_size(), 2);
  const auto told = tasks.heartbeat(kNow + std::chrono::seconds(1));
  ASSERT_EQ(told.open_tasks_size(), 1);
  EXPECT_EQ(told.open_tasks(0).task_id(), lasting.task.task_id);
  EXPECT_EQ(told.open_tasks(0).observation_digest(),
            contract::observation_digest(contract::observation_token(lasting.token)));
}

TEST(Tasks, StepActsOnceAndItsOutcomeIsRecalled) {
  Tasks tasks;
  const auto id = tasks.open({}, {}, kNow).task.task_id;
  EXPECT_FALSE(tasks.claim(id, step(), "d", kNow)->has_value());
  EXPECT_EQ(tasks.claim(id, step(), "d", kNow).error().code, Code::kAborted);
  tasks.settle(id, "s", outcome(v1::Outcome::KIND_UNKNOWN));
  EXPECT_EQ(tasks.claim(id, step(), "d", kNow)->value().kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(tasks.recall(id, "s", "d")->value().kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(tasks.claim(id, step(), "other action", kNow).error().code, Code::kFailedPrecondition);
}

TEST(Tasks, ARefusedStepMayBeSubmittedAgain) {
  Tasks tasks;
  const auto id = tasks.open({}, {}, kNow).task.task_id;
  ASSERT_TRUE(tasks.claim(id, step(), "d", kNow));
  tasks.settle(id, "s", outcome(v1::Outcome::KIND_REFUSED));
  EXPECT_FALSE(tasks.claim(id, step(), "d", kNow)->has_value());
}

TEST(Tasks, ATaskActsNoMoreThanItsLimits) {
  Tasks tasks;
  Limits limits;
  limits.steps = 3;
  limits.text_characters = 12;
  limits.time = Milliseconds(1000);
  const auto id = tasks.open({}, limits, kNow).task.task_id;
  EXPECT_TRUE(tasks.claim(id, step("1"), "d", kNow));
  EXPECT_TRUE(tasks.claim(id, step("2"), "d", kNow));
  EXPECT_EQ(tasks.claim(id, step("3"), "d", kNow).error().code, Code::kResourceExhausted) << "15 characters, not bytes";
  v1::Step launch;
  launch.mutable_action()->mutable_launch()->set_command("x");
  EXPECT_EQ(tasks.claim(id, launch, "l", kNow + Milliseconds(1000)).error().code, Code::kResourceExhausted)
      << "too late";
  EXPECT_TRUE(tasks.claim(id, launch, "l", kNow));
  EXPECT_EQ(tasks.claim(id, step("5"), "d", kNow).error().code, Code::kResourceExhausted) << "a fourth step";
  tasks.settle(id, "1", outcome(v1::Outcome::KIND_DISPATCHED));
  EXPECT_TRUE(tasks.claim(id, step("1"), "d", kNow)->has_value()) << "what was done is told, and not counted again";
}

TEST(Tasks, LaunchesHaveTheirOwnLimit) {
  Tasks tasks;
  Limits limits;
  limits.launches = 1;
  const auto id = tasks.open({}, limits, kNow).task.task_id;
  v1::Step launch;
  launch.mutable_action()->mutable_launch()->set_command("x");
  launch.set_step_id("1");
  EXPECT_TRUE(tasks.claim(id, launch, "l", kNow));
  launch.set_step_id("2");
  EXPECT_EQ(tasks.claim(id, launch, "l", kNow).error().code, Code::kResourceExhausted);
  EXPECT_TRUE(tasks.claim(id, step("3"), "d", kNow));
}

using Admission = TaskUse::Admission;

TEST(Tasks, SubmissionsMayComeInABurstButNotForLong) {
  Tasks tasks;
  Limits limits;
  limits.steps_per_second = 10;
  const auto id = tasks.open({}, limits, kNow).task.task_id;
  const auto submit = [&](int ms) { return *tasks.count_submission(id, kNow + Milliseconds(ms)); };
  for (int i = 0; i < 10; ++i) EXPECT_EQ(submit(0), Admission::kAccepted);
  EXPECT_EQ(submit(0), Admission::kRejectAndReport);
  EXPECT_EQ(submit(0), Admission::kReject) << "reported once";
  EXPECT_EQ(submit(100), Admission::kAccepted);
  EXPECT_EQ(submit(100), Admission::kReject);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(submit(5000), Admission::kAccepted);
  EXPECT_EQ(submit(5000), Admission::kRejectAndReport) << "a long pause saves up no more than a second";
}

TEST(Tasks, SubmissionsAlsoHaveATotalLimit) {
  Tasks tasks;
  Limits limits;
  limits.steps = 2;
  limits.steps_per_second = 1000;
  const auto id = tasks.open({}, limits, kNow).task.task_id;
  for (int i = 0; i < 40; ++i) EXPECT_EQ(*tasks.count_submission(id, kNow), Admission::kAccepted);
  EXPECT_EQ(*tasks.count_submission(id, kNow + std::chrono::hours(1)), Admission::kRejectAndReport);
}

}  // namespace
}  // namespace da::policy
