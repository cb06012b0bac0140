#include "services/actuator/grant/ledger.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/services/actuator/grant/ledger_fixture.h"

namespace da::actuator {
namespace {

TEST_F(LedgerTest, NewGrantMayActAndARepeatedOneGetsItsOutcome) {
  const auto ledger = open();
  EXPECT_FALSE(ledger->begin(record("g")).value().has_value());
  ASSERT_TRUE(ledger->finish(record("g", v1::Outcome::KIND_CONFIRMED)));
  EXPECT_EQ(ledger->begin(record("g")).value()->kind(), v1::Outcome::KIND_CONFIRMED);
}

TEST_F(LedgerTest, OutcomesSurviveARestart) {
  {
    const auto ledger = open();
    ASSERT_TRUE(ledger->begin(record("g")));
    ASSERT_TRUE(ledger->finish(record("g", v1::Outcome::KIND_DISPATCHED)));
  }
  EXPECT_EQ(open()->find("g")->kind(), v1::Outcome::KIND_DISPATCHED);
}

TEST_F(LedgerTest, AnIntentWithoutOutcomeIsUnknownAfterARestart) {
  ASSERT_TRUE(open()->begin(record("g")));
  EXPECT_EQ(open()->begin(record("g")).value()->kind(), v1::Outcome::KIND_UNKNOWN);
}

TEST_F(LedgerTest, TornRecordAtTheEndIsSkipped) {
  {
    const auto ledger = open();
    ASSERT_TRUE(ledger->begin(record("one")));
    ASSERT_TRUE(ledger->begin(record("two")));
  }
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) - 3);
  const auto ledger = open();
  EXPECT_TRUE(ledger->find("one").has_value());
  EXPECT_FALSE(ledger->find("two").has_value());
  ASSERT_TRUE(ledger->begin(record("three")));
  EXPECT_TRUE(open()->find("three").has_value());
}

TEST_F(LedgerTest, RecordBehindATornOneIsRead) {
  ASSERT_TRUE(open()->begin(record("three")));
  const std::string three = content();
  std::filesystem::remove(file_);
  ASSERT_TRUE(open()->begin(record("one")));
  ASSERT_TRUE(open()->begin(record("torn")));
  const std::string torn = content();
  // The disk was full for a while: one record is cut, and the next one is complete.
  std::ofstream(file_, std::ios::binary) << torn.substr(0, torn.size() - 5) << three;
  const auto ledger = open();
  EXPECT_TRUE(ledger->find("one").has_value());
  EXPECT_FALSE(ledger->find("torn").has_value());
  EXPECT_TRUE(ledger->find("three").has_value());
}

TEST_F(LedgerThatGrows, ReplacementDropsOldOutcomesAndKeepsDoubts) {
  const auto ledger = open_small(clock_);
  ASSERT_TRUE(ledger->started("boot"));
  ASSERT_TRUE(ledger->begin(record("doubt")));
  for (int i = 0; i < 1'000; ++i) {
    act(*ledger, "g" + std::to_string(i));
    clock_.advance(Milliseconds(100));
  }
  EXPECT_LT(std::filesystem::file_size(file_), 8'000U);
  EXPECT_LT(ledger->content().outcomes, 100U);
  EXPECT_EQ(ledger->find("doubt")->kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(ledger->find("g999")->kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_FALSE(ledger->find("g0").has_value());
  EXPECT_FALSE(ledger->tells_all_of("boot"));
  const auto again = open_small(clock_);
  EXPECT_EQ(again->find("doubt")->kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(again->find("g999")->kind(), v1::Outcome::KIND_DISPATCHED);
}

TEST_F(LedgerThatGrows, ReplacementKeepsAllRecentOutcomes) {
  const auto ledger = open_small(clock_);
  ASSERT_TRUE(ledger->started("boot"));
  for (int i = 0; i < 500; ++i) act(*ledger, "g" + std::to_string(i));
  EXPECT_EQ(open_small(clock_)->content().outcomes, 500U);
  EXPECT_TRUE(ledger->tells_all_of("boot"));
  EXPECT_TRUE(ledger->find("g0").has_value());
}

// Records that another actuator appends to a replaced file would be lost.
TEST_F(LedgerThatGrows, FileIsNotReplacedWhileAnotherActuatorHasItOpen) {
  auto other = open_small(clock_);
  const auto ledger = open_small(clock_);
  for (int i = 0; i < 200; ++i) {
    act(*ledger, "g" + std::to_string(i));
    clock_.advance(Milliseconds(100));
  }
  ASSERT_TRUE(other->begin(record("of the other")));
  other.reset();
  for (int i = 200; i < 400; ++i) {
    act(*ledger, "g" + std::to_string(i));
    clock_.advance(Milliseconds(100));
  }
  EXPECT_LT(std::filesystem::file_size(file_), 8'000U);
  EXPECT_EQ(open()->find("of the other")->kind(), v1::Outcome::KIND_UNKNOWN);
}

TEST_F(LedgerTest, StartIsKnownAfterARestart) {
  ASSERT_TRUE(open()->started("one"));
  EXPECT_TRUE(open()->tells_all_of("one"));
  EXPECT_FALSE(open()->tells_all_of("two"));
}

TEST_F(LedgerTest, GarbageIsNotReadAsARecord) {
  std::ofstream(file_) << std::string(100, '\xff');
  EXPECT_FALSE(open()->find("").has_value());
}

}  // namespace
}  // namespace da::actuator
