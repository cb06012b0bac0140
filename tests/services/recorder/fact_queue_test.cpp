#include "services/recorder/fact_queue.h"

#include <gtest/gtest.h>

#include <future>

namespace da::recorder {
namespace {

Received fact(std::size_t bytes) {
  return {recording::RecordedFact{.payload = std::string(bytes, 'x')}, WallTime()};
}
MonoTime soon() { return system_clock().now() + Milliseconds(20); }

TEST(FactQueue, KeepsTheOrder) {
  FactQueue queue(1 << 20);
  queue.push({TaskOver{"a"}, WallTime()});
  queue.push({TaskOver{"b"}, WallTime()});
  EXPECT_EQ(std::get<TaskOver>(queue.pop(soon())->what).task_id, "a");
  EXPECT_EQ(std::get<TaskOver>(queue.pop(soon())->what).task_id, "b");
  EXPECT_FALSE(queue.pop(soon()));
}

TEST(FactQueue, WaitsForRoom) {
  FactQueue queue(10'000);
  queue.push(fact(20'000));
  auto pushed = std::async(std::launch::async, [&] { queue.push(fact(1)); });
  EXPECT_EQ(pushed.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_TRUE(queue.pop(soon()));
  pushed.get();
  EXPECT_TRUE(queue.pop(soon()));
}

TEST(FactQueue, GivesOutTheRestAfterItIsClosed) {
  FactQueue queue(10'000);
  queue.push(fact(20'000));
  auto pushed = std::async(std::launch::async, [&] { queue.push(fact(1)); });
  queue.close();
  pushed.get();  // Does not wait for room any more.
  EXPECT_FALSE(queue.is_done());
  EXPECT_TRUE(queue.pop(soon()));
  EXPECT_TRUE(queue.is_done());
}

}  // namespace
}  // namespace da::recorder
