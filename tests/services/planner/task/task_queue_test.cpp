#include "services/planner/task/task_queue.h"

#include <gtest/gtest.h>

#include <thread>

#include "da/v1/history.pb.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/contract/task_token.h"
#include "services/planner/planner.h"
#include "tests/services/planner/fake_observer.h"
#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner {
namespace {

constexpr Milliseconds kEndTimeout{20'000};

class TaskQueueTest : public testing::Test {
 protected:
  v1::StartTaskRequest request(const std::string& id, const std::string& goal) {
    v1::StartTaskRequest request;
    request.set_task_id(id);
    request.set_task_token(contract::task_token("secret-" + id, goal));
    request.set_goal(goal);
    return request;
  }

  v1::TaskEnd end_of(const std::string& id) {
    const auto reply = queue_.await(id, kEndTimeout);
    EXPECT_TRUE(reply && reply->ended()) << id;
    return reply ? reply->result().end() : v1::TASK_END_UNSPECIFIED;
  }

  FakeWorld world_;
  FakeObserver observer_{world_};
  FakePolicy policy_{world_};
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, world_.clock};
  bus::Subscriber ends_{bus_->source({bus::topic_name<v1::TaskEnded>()})};
  const model::Settings models_;
  Planner planner_{
      {observer_, policy_, publisher_, world_.clock, models_, [](const std::string&) { return std::nullopt; }}};
  TaskQueue& queue_ = planner_.tasks();
};

TEST_F(TaskQueueTest, CarriesATaskOutAndPublishesItsEnd) {
  ASSERT_TRUE(queue_.start(request("a", "press f5")));
  EXPECT_EQ(end_of("a"), v1::TASK_END_DONE);
  const auto fact = ends_.next(system_clock().now() + kEndTimeout).value();
  ASSERT_TRUE(fact);
  EXPECT_EQ(fact->as<v1::TaskEnded>()->result().task_id(), "a");
}

TEST_F(TaskQueueTest, PublishesTheAcceptedTaskWithoutItsToken) {
  bus::Subscriber accepted(bus_->source({bus::topic_name<v1::TaskAccepted>()}));
  ASSERT_TRUE(queue_.start(request("a", "press f5")));
  const auto fact = accepted.next(system_clock().now() + kEndTimeout).value();
  ASSERT_TRUE(fact);
  EXPECT_EQ(fact->as<v1::TaskAccepted>()->request().goal(), "press f5");
  EXPECT_EQ(fact->as<v1::TaskAccepted>()->request().task_token(), "");
  EXPECT_EQ(fact->as<v1::TaskAccepted>()->header().cause(), "a");
  EXPECT_EQ(end_of("a"), v1::TASK_END_DONE);
}

TEST_F(TaskQueueTest, ABadGoalIsRefusedBeforeAnythingHappens) {
  const auto started = queue_.start(request("a", "press f5; dance"));
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, Code::kInvalidArgument);
  EXPECT_TRUE(started.error().message.starts_with("line 1, column 11: found dance")) << started.error().message;
  EXPECT_FALSE(queue_.await("a", Milliseconds(0)));
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(TaskQueueTest, OneTaskRunsAtATimeAndTheOthersWait) {
  policy_.waits_for_a_person = true;
  ASSERT_TRUE(queue_.start(request("a", "press f5")));
  ASSERT_TRUE(queue_.start(request("b", "press f6")));
  const auto waiting = queue_.await("b", Milliseconds(0)).value();
  EXPECT_FALSE(waiting.ended());
  EXPECT_EQ(waiting.state(), v1::TASK_STATE_IDLE);
  ASSERT_TRUE(queue_.cancel("a", "enough"));
  EXPECT_EQ(end_of("a"), v1::TASK_END_CANCELLED);
  ASSERT_TRUE(queue_.cancel("b", "enough"));
  EXPECT_EQ(end_of("b"), v1::TASK_END_CANCELLED);
}

TEST_F(TaskQueueTest, CancelledWaitingTaskEndsWithoutRunning) {
  policy_.waits_for_a_person = true;
  ASSERT_TRUE(queue_.start(request("a", "press f5")));
  ASSERT_TRUE(queue_.start(request("b", "press f6")));
  ASSERT_TRUE(queue_.cancel("b", "changed my mind"));
  EXPECT_EQ(end_of("b"), v1::TASK_END_CANCELLED);
  EXPECT_FALSE(queue_.await("a", Milliseconds(0))->ended());
}

TEST_F(TaskQueueTest, StartReplyNamesTheTasksBeforeIt) {
  policy_.waits_for_a_person = true;
  const auto first = queue_.start(request("a", "press f5"));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->running_task_id() + std::to_string(first->waiting_before()), "0");
  while (queue_.load().running != "a") std::this_thread::yield();
  const auto second = queue_.start(request("b", "press f6"));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->running_task_id(), "a");
  EXPECT_EQ(second->running_goal(), "press f5");
  EXPECT_EQ(second->waiting_before(), 0U);
  EXPECT_EQ(queue_.start(request("c", "press f7"))->waiting_before(), 1U);
  EXPECT_EQ(queue_.load().goal, "press f5");
}

TEST_F(TaskQueueTest, TaskIdCannotBeReused) {
  ASSERT_TRUE(queue_.start(request("a", "press f5")));
  EXPECT_EQ(end_of("a"), v1::TASK_END_DONE);
  const auto again = queue_.start(request("a", "press f5"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::kAlreadyExists);
}

TEST_F(TaskQueueTest, ATaskNeedsItsIdAndToken) {
  v1::StartTaskRequest without = request("a", "press f5");
  without.clear_task_token();
  EXPECT_FALSE(queue_.start(without));
}

TEST_F(TaskQueueTest, AnotherGoalThanThatOfTheTokenIsRefused) {
  v1::StartTaskRequest changed = request("a", "press f5");
  changed.set_goal("press delete");
  const auto started = queue_.start(changed);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message, "the policy opened this task for another goal");
  EXPECT_FALSE(queue_.await("a", Milliseconds(0)));
}

TEST_F(TaskQueueTest, TooManyWaitingTasksAreRefused) {
  policy_.waits_for_a_person = true;
  std::size_t accepted = 0;
  while (accepted < 100 && queue_.start(request(std::to_string(accepted), "press f5"))) ++accepted;
  EXPECT_LE(accepted, kMaxWaitingTasks + 1);
  EXPECT_GE(accepted, kMaxWaitingTasks);
}

TEST_F(TaskQueueTest, StopCancelsTheRunningTaskAndWakesAwaiters) {
  policy_.waits_for_a_person = true;
  ASSERT_TRUE(queue_.start(request("a", "press f5")));
  queue_.stop();
  EXPECT_TRUE(queue_.await("a", kEndTimeout));
  EXPECT_FALSE(queue_.start(request("b", "press f5")));
}

TEST_F(TaskQueueTest, UnknownTaskIsNotFound) {
  EXPECT_EQ(queue_.cancel("x", "").error().code, Code::kNotFound);
  EXPECT_EQ(queue_.await("x", Milliseconds(0)).error().code, Code::kNotFound);
}

TEST_F(TaskQueueTest, ADryRunExecutesNothing) {
  v1::StartTaskRequest dry = request("a", "press f5; delete file \"/tmp/x\"");
  dry.set_dry_run(true);
  ASSERT_TRUE(queue_.start(dry));
  EXPECT_EQ(end_of("a"), v1::TASK_END_DONE);
  EXPECT_TRUE(world_.performed.empty());
}

}  // namespace
}  // namespace da::planner
