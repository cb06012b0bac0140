#include "services/recorder/writer_shares.h"

#include <gtest/gtest.h>

#include "da/v1/model.pb.h"
#include "da/v1/outcome.pb.h"
#include "da/v1/plan.pb.h"

namespace da::recorder {
namespace {

template <class Message = v1::ModelCall>
recording::RecordedFact fact_of(const std::string& writer, std::uint64_t sequence, std::size_t size) {
  v1::Header header;
  header.set_writer(writer);
  header.set_instance("one");
  header.set_sequence(sequence);
  return {Message::descriptor(), header, std::string(size, 'x')};
}

struct WriterSharesTest : testing::Test {
  // Whether the fact is added.
  bool add(WriterShares& shares, const recording::RecordedFact& fact) {
    const bool added = shares.admits(fact, clock.now());
    if (added) {
      shares.charge(fact.header.writer(), fact.payload.size(), clock.now());
    } else {
      shares.leave_out(fact);
    }
    return added;
  }
  ManualClock clock;
};

TEST_F(WriterSharesTest, EachUntrustedWriterHasItsOwnShare) {
  WriterShares shares(1'000);
  EXPECT_TRUE(add(shares, fact_of("planner", 1, 1'000)));
  EXPECT_FALSE(add(shares, fact_of("planner", 2, 1)));
  EXPECT_TRUE(add(shares, fact_of("observer", 1, 1'000)));
  EXPECT_FALSE(add(shares, fact_of("observer", 2, 1)));
  clock.advance(std::chrono::hours(1));
  EXPECT_FALSE(add(shares, fact_of("planner", 3, 1))) << "the share does not grow";
}

TEST_F(WriterSharesTest, PolicyAndActuatorHaveNoLimit) {
  WriterShares shares(1'000);
  for (const char* writer : {"policy", "actuator"}) {
    EXPECT_TRUE(add(shares, fact_of(writer, 1, 1'000)));
    EXPECT_TRUE(add(shares, fact_of(writer, 2, WriterShares::kBurstBytes + 1)));
  }
}

TEST_F(WriterSharesTest, BurstIsFollowedByASteadyRate) {
  WriterShares shares(1ULL << 40);
  EXPECT_TRUE(add(shares, fact_of("planner", 1, WriterShares::kBurstBytes)));
  EXPECT_FALSE(add(shares, fact_of("planner", 2, 1)));
  std::uint64_t added = 0;
  constexpr std::uint64_t kSize = 1 << 20;
  for (std::uint64_t number = 3; number < 1'003; ++number) {
    clock.advance(Milliseconds(10));
    if (add(shares, fact_of("planner", number, kSize))) added += kSize;
  }
  EXPECT_NEAR(static_cast<double>(added), 10.0 * WriterShares::kBytesPerSecond, 0.5 * WriterShares::kBurstBytes);
}

// Each refusal after an admitted fact is a mark of its own.
TEST_F(WriterSharesTest, AWriterThatIsTooFastWaitsForAWhile) {
  WriterShares shares(1ULL << 40);
  int changes = 0;
  bool was_added = true;
  for (std::uint64_t number = 1; number <= 100'000; ++number) {
    clock.advance(Milliseconds(1));
    const bool added = add(shares, fact_of("planner", number, 50'000));
    changes += added != was_added ? 1 : 0;
    was_added = added;
    shares.take_gaps("planner.model_call");
  }
  EXPECT_LT(changes, 150) << "in 100 s";
  EXPECT_GT(changes, 20);
}

TEST_F(WriterSharesTest, LostFactsOfAWriterWithoutAShareAreMarkedTogether) {
  WriterShares shares(10);
  v1::RecordingGap lost;
  lost.set_writer("planner");
  lost.set_instance("one");
  lost.set_topic("planner.model_call");
  for (std::uint64_t number = 1; number < 100; number += 2) {
    EXPECT_FALSE(add(shares, fact_of("planner", number, 11)));
    lost.set_from(number + 1);
    lost.set_to(number + 1);
    EXPECT_FALSE(shares.admits(lost, clock.now()));
    shares.leave_out(lost);
  }
  const auto gaps = shares.take_all_gaps();
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].to(), 100u);
}

TEST_F(WriterSharesTest, FactsLeftOutInARowAreOneGap) {
  WriterShares shares(10);
  for (std::uint64_t number = 1; number <= 5; ++number) add(shares, fact_of("planner", number, 11));
  add(shares, fact_of<v1::Plan>("planner", 1, 11));
  const auto gaps = shares.take_gaps("planner.model_call");
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].from(), 1u);
  EXPECT_EQ(gaps[0].to(), 5u);
  EXPECT_EQ(gaps[0].writer(), "planner");
  EXPECT_EQ(gaps[0].instance(), "one");
  EXPECT_TRUE(shares.take_gaps("planner.model_call").empty());
  EXPECT_EQ(shares.take_all_gaps().size(), 1u) << "that of the plan";
}

TEST_F(WriterSharesTest, FactsOfOtherTasksInBetweenAreNotCounted) {
  WriterShares shares(10);
  for (const std::uint64_t number : {1, 2, 4}) add(shares, fact_of("planner", number, 11));
  const auto gaps = shares.take_all_gaps();
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].to(), 2u);
  EXPECT_EQ(gaps[1].from(), 4u);
}

TEST_F(WriterSharesTest, MarksOfGapsAreLimitedToo) {
  WriterShares shares(10);
  for (std::uint64_t number = 1; number <= 20'000; number += 2) add(shares, fact_of("planner", number, 11));
  const auto gaps = shares.take_all_gaps();
  EXPECT_EQ(gaps.size(), WriterShares::kMostGaps);
  EXPECT_EQ(gaps.back().to(), 19'999u) << "none is left unmarked";
}

}  // namespace
}  // namespace da::recorder
