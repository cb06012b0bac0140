#include <gtest/gtest.h>

#include "da/v1/outcome.pb.h"
#include "da/v1/task.pb.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/publisher.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"

namespace da::bus {
namespace {

class MemoryBusTest : public testing::Test {
 protected:
  std::optional<Fact> next(Subscriber& subscriber) { return subscriber.next(system_clock().now()).value(); }
  std::shared_ptr<MemoryBus> bus_ = MemoryBus::create();
  ManualClock clock_;
  Publisher planner_{bus_->sink(), {"planner", "fake:0"}, clock_};
  Subscriber reader_{bus_->source(all_topics(Images::kWith))};
};

TEST_F(MemoryBusTest, FactArrivesWithItsHeaderFilledIn) {
  v1::TaskStateChanged state;
  state.set_state(v1::TASK_STATE_ACTING);
  planner_.publish(state, "task-1", "step-1");
  const auto fact = next(reader_);
  ASSERT_TRUE(fact);
  EXPECT_EQ(fact->as<v1::TaskStateChanged>()->state(), v1::TASK_STATE_ACTING);
  EXPECT_EQ(fact->as<v1::Outcome>(), nullptr);
  EXPECT_EQ(fact->header.task_id(), "task-1");
  EXPECT_EQ(fact->header.desktop_id(), "fake:0");
  EXPECT_EQ(fact->header.cause(), "step-1");
  EXPECT_EQ(fact->header.sequence(), 1U);
  EXPECT_EQ(fact->header.monotonic_ns(), clock_.now().time_since_epoch().count());
}

TEST_F(MemoryBusTest, NextFactOfTopicCountsLostOnes) {
  planner_.publish(v1::TaskStateChanged(), "", "");
  bus_->drop_next(2);
  for (int i = 0; i < 3; ++i) planner_.publish(v1::TaskStateChanged(), "", "");
  EXPECT_EQ(next(reader_)->lost_before, 0U);
  EXPECT_EQ(next(reader_)->lost_before, 2U);
  EXPECT_EQ(reader_.lost(), 2U);
}

TEST_F(MemoryBusTest, RestartedWriterCountsFromOne) {
  planner_.publish(v1::TaskStateChanged(), "", "");
  Publisher restarted(bus_->sink(), {"planner", "fake:0"}, clock_);
  restarted.publish(v1::TaskStateChanged(), "", "");
  next(reader_);
  EXPECT_EQ(next(reader_)->lost_before, 0U);
}

TEST_F(MemoryBusTest, SkipsMalformedFactsAndForeignWriters) {
  const auto sink = bus_->sink();
  sink->send(Lane::kFacts, topic_name<v1::TaskStateChanged>(), std::make_shared<const std::string>("\xff broken"));
  v1::TaskStateChanged forged;
  forged.mutable_header()->set_writer("observer");
  sink->send(Lane::kFacts, topic_name<v1::TaskStateChanged>(),
             std::make_shared<const std::string>(forged.SerializeAsString()));
  EXPECT_FALSE(next(reader_).has_value());
  EXPECT_EQ(reader_.malformed(), 2U);
}

TEST_F(MemoryBusTest, PublishingAnotherWritersTopicAborts) {
  EXPECT_DEATH(planner_.publish(v1::Outcome(), "", ""), "planner must not publish da.v1.Outcome");
}

}  // namespace
}  // namespace da::bus
