#include "services/actuator/ledger.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "lib/base/id.h"
#include "lib/os/files.h"

namespace da::actuator {
namespace {

class LedgerTest : public testing::Test {
 protected:
  LedgerTest() : file_(std::filesystem::temp_directory_path() / ("da-ledger-" + random_hex(6))) {}
  ~LedgerTest() override { std::filesystem::remove(file_); }
  std::unique_ptr<Ledger> open() { return *Ledger::open(file_); }
  std::string content() const { return *os::read_file(file_); }
  static v1::Outcome record(const std::string& grant, v1::Outcome::Kind kind = v1::Outcome::KIND_UNSPECIFIED) {
    v1::Outcome outcome;
    outcome.set_grant_id(grant);
    outcome.set_kind(kind);
    return outcome;
  }
  const std::filesystem::path file_;
};

TEST_F(LedgerTest, ANewGrantMayGoAheadAndARepeatedOneGetsItsOutcome) {
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

TEST_F(LedgerTest, ATornRecordAtTheEndIsCutOff) {
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

TEST_F(LedgerTest, ATornRecordHidesNoneBehindIt) {
  ASSERT_TRUE(open()->begin(record("three")));
  const std::string three = content();
  std::filesystem::remove(file_);
  ASSERT_TRUE(open()->begin(record("one")));
  ASSERT_TRUE(open()->begin(record("torn")));
  const std::string torn = content();
  // As after a disk that was full, and then was not.
  std::ofstream(file_, std::ios::binary) << torn.substr(0, torn.size() - 5) << three;
  const auto ledger = open();
  EXPECT_TRUE(ledger->find("one").has_value());
  EXPECT_FALSE(ledger->find("torn").has_value());
  EXPECT_TRUE(ledger->find("three").has_value());
}

TEST_F(LedgerTest, GarbageIsNotReadAsARecord) {
  std::ofstream(file_) << std::string(100, '\xff');
  EXPECT_FALSE(open()->find("").has_value());
}

}  // namespace
}  // namespace da::actuator
