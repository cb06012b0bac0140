#include "services/recorder/fact_queue.h"

#include <gtest/gtest.h>

#include "da/v1/history.pb.h"

namespace da::recorder {
namespace {

Received fact(const std::string& writer, std::uint64_t sequence, std::size_t bytes) {
  recording::RecordedFact fact{.type = writer == "policy" ? v1::PolicyLog::descriptor() : v1::ObserverLog::descriptor(),
                               .payload = std::string(bytes, 'x')};
  fact.header.set_writer(writer);
  fact.header.set_sequence(sequence);
  return {std::move(fact), WallTime()};
}
std::uint64_t sequence_of(const std::optional<Received>& received) {
  return std::get<recording::RecordedFact>(received->what).header.sequence();
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

TEST(FactQueue, AFactBeyondTheLimitOfItsWriterBecomesAGap) {
  FactQueue queue(10'000);
  queue.push(fact("observer", 1, 12'000));
  queue.push(fact("observer", 2, 1));
  queue.push(fact("observer", 3, 1));
  queue.push(fact("policy", 1, 1));
  EXPECT_EQ(sequence_of(queue.pop(soon())), 1u);
  const auto dropped = queue.pop(soon());
  const auto* gap = std::get_if<v1::RecordingGap>(&dropped->what);
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->topic(), "observer.log");
  EXPECT_EQ(gap->from(), 2u);
  EXPECT_EQ(gap->to(), 3u);
  EXPECT_EQ(queue.dropped(), 2u);
  // The other writer's facts have a share of their own.
  EXPECT_EQ(sequence_of(queue.pop(soon())), 1u);
  queue.push(fact("observer", 4, 1));
  EXPECT_EQ(sequence_of(queue.pop(soon())), 4u);
}

TEST(FactQueue, DropsThatAreNotContiguousAreSeparateGapsOfLimitedNumber) {
  FactQueue queue(10'000);
  queue.push(fact("observer", 1, 20'000));
  EXPECT_EQ(sequence_of(queue.pop(soon())), 1u);
  queue.push(fact("observer", 2, 10'000));
  for (std::uint64_t sequence = 4; sequence < 10'000; sequence += 2) queue.push(fact("observer", sequence, 1));
  EXPECT_EQ(sequence_of(queue.pop(soon())), 2u);
  int gaps = 0;
  while (queue.pop(MonoTime())) ++gaps;
  EXPECT_GT(gaps, 5);
  EXPECT_LT(gaps, 50);
  EXPECT_EQ(queue.dropped(), 4998u);
}

TEST(FactQueue, GivesOutTheRestAfterItIsClosed) {
  FactQueue queue(10'000);
  queue.push(fact("observer", 1, 20'000));
  queue.close();
  queue.push(fact("policy", 1, 1));
  EXPECT_FALSE(queue.is_done());
  EXPECT_TRUE(queue.pop(soon()));
  EXPECT_FALSE(queue.pop(soon()));
  EXPECT_TRUE(queue.is_done());
}

}  // namespace
}  // namespace da::recorder
