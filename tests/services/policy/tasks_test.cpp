#include "services/policy/tasks.h"

#include <gtest/gtest.h>

namespace da::policy {
namespace {

v1::Outcome outcome(v1::Outcome::Kind kind) {
  v1::Outcome outcome;
  outcome.set_kind(kind);
  return outcome;
}

TEST(Tasks, ATokenOpensItsOwnTaskOnly) {
  Tasks tasks;
  const auto a = tasks.open("goal a", "ada", Milliseconds(1));
  const auto b = tasks.open("goal b", "bob", Milliseconds(2));
  EXPECT_EQ(a.token.size(), 64u);
  EXPECT_EQ(tasks.find(a.token)->task_id, a.task.task_id);
  EXPECT_EQ(tasks.find(b.token)->goal, "goal b");
  EXPECT_EQ(tasks.find("").error().code, Code::kUnauthenticated);
  EXPECT_EQ(tasks.find(std::string(64, '0')).error().code, Code::kUnauthenticated);
  EXPECT_EQ(tasks.find(a.task.task_id).error().code, Code::kUnauthenticated);
}

TEST(Tasks, AClosedTaskHasNoTokenAnyMore) {
  Tasks tasks;
  const auto a = tasks.open("", "", Milliseconds(1));
  EXPECT_EQ(tasks.close(a.token)->task_id, a.task.task_id);
  EXPECT_FALSE(tasks.find(a.token));
  EXPECT_FALSE(tasks.close(a.token));
  EXPECT_FALSE(tasks.claim(a.task.task_id, "s", "d"));
  EXPECT_EQ(tasks.count(), 0u);
}

TEST(Tasks, AStepActsOnceAndItsOutcomeIsTold) {
  Tasks tasks;
  const auto id = tasks.open("", "", Milliseconds(1)).task.task_id;
  EXPECT_FALSE(tasks.claim(id, "s", "d")->has_value());
  EXPECT_EQ(tasks.claim(id, "s", "d").error().code, Code::kAborted);
  tasks.settle(id, "s", outcome(v1::Outcome::KIND_UNKNOWN));
  EXPECT_EQ(tasks.claim(id, "s", "d")->value().kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(tasks.recall(id, "s", "d")->value().kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(tasks.claim(id, "s", "other action").error().code, Code::kFailedPrecondition);
}

TEST(Tasks, ARefusedStepMayBeSubmittedAgain) {
  Tasks tasks;
  const auto id = tasks.open("", "", Milliseconds(1)).task.task_id;
  ASSERT_TRUE(tasks.claim(id, "s", "d"));
  tasks.settle(id, "s", outcome(v1::Outcome::KIND_REFUSED));
  EXPECT_FALSE(tasks.claim(id, "s", "d")->has_value());
}

}  // namespace
}  // namespace da::policy
