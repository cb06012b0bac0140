#include "services/policy/task/tasks.h"

#include <gtest/gtest.h>

#include "lib/contract/task_token.h"

namespace da::policy {
namespace {

TEST(Tasks, TokenFindsOnlyItsOwnTask) {
  const ManualClock clock;
  Tasks tasks(clock);
  const auto a = *tasks.open({.goal = "goal a"});
  const auto b = *tasks.open({.goal = "goal b"});
  EXPECT_TRUE(contract::is_for_goal(a.token, "goal a"));
  EXPECT_EQ(*tasks.find(a.token), a.task);
  EXPECT_EQ((*tasks.find(b.token))->terms.goal, "goal b");
  EXPECT_EQ(tasks.find("").error().code, Code::kUnauthenticated);
  EXPECT_EQ(tasks.find(contract::task_token(std::string(64, '0'), "goal a")).error().code, Code::kUnauthenticated);
  EXPECT_EQ(tasks.find(a.task->terms.task_id).error().code, Code::kUnauthenticated);
}

TEST(Tasks, TokenOfAClosedTaskIsRefused) {
  const ManualClock clock;
  Tasks tasks(clock);
  const auto a = *tasks.open({});
  EXPECT_EQ(*tasks.close(a.token), a.task);
  EXPECT_FALSE(tasks.find(a.token));
  EXPECT_FALSE(tasks.close(a.token));
  EXPECT_TRUE(tasks.all().empty());
}

TEST(Tasks, APersonClosesATaskOnce) {
  const ManualClock clock;
  Tasks tasks(clock);
  const auto a = *tasks.open({});
  EXPECT_EQ(tasks.close_by_id(a.task->terms.task_id), a.task);
  EXPECT_EQ(tasks.close_by_id(a.task->terms.task_id), nullptr);
}

// A step that still runs when its task ends must not act.
TEST(Tasks, NoStepOfAClosedTaskIsClaimed) {
  const ManualClock clock;
  Tasks tasks(clock);
  const auto a = *tasks.open({});
  ASSERT_TRUE(tasks.close(a.token));
  v1::Step step;
  step.set_step_id("s");
  EXPECT_EQ(a.task->steps.claim(step, "d", clock.now()).error().code, Code::kFailedPrecondition);
  EXPECT_EQ(a.task->steps.count_submission(clock.now()).error().code, Code::kFailedPrecondition);
  EXPECT_EQ(a.task->steps.time_left(clock.now()), Milliseconds(0));
}

TEST(Tasks, HeartbeatNamesTasksWithTimeLeft) {
  ManualClock clock;
  Tasks tasks(clock);
  const auto lasting = *tasks.open({});
  ASSERT_TRUE(tasks.open({.limits = {.time = std::chrono::seconds(1)}}));
  EXPECT_EQ(tasks.heartbeat().open_tasks_size(), 2);
  clock.advance(std::chrono::seconds(1));
  const auto told = tasks.heartbeat();
  ASSERT_EQ(told.open_tasks_size(), 1);
  EXPECT_EQ(told.open_tasks(0).task_id(), lasting.task->terms.task_id);
  EXPECT_EQ(told.open_tasks(0).observation_digest(),
            contract::observation_digest(contract::observation_token(lasting.token)));
}

TEST(Tasks, AreLimitedInNumber) {
  ManualClock clock;
  Tasks tasks(clock);
  for (std::size_t i = 0; i < Tasks::kMost; ++i) ASSERT_TRUE(tasks.open({})) << i;
  EXPECT_TRUE(tasks.make_room().empty());
  const auto refused = tasks.open({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kResourceExhausted);
}

TEST(Tasks, ExpiredTasksMakeRoomForOthers) {
  ManualClock clock;
  Tasks tasks(clock);
  const auto expired = *tasks.open({.limits = {.time = std::chrono::seconds(1)}});
  for (std::size_t i = 1; i < Tasks::kMost; ++i) ASSERT_TRUE(tasks.open({})) << i;
  clock.advance(std::chrono::seconds(2));
  const auto closed = tasks.make_room();
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed.front(), expired.task);
  EXPECT_TRUE(tasks.open({}));
  EXPECT_TRUE(tasks.make_room().empty()) << "the others have time left";
}

}  // namespace
}  // namespace da::policy
