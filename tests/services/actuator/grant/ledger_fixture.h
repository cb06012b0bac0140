// A ledger in a directory of its own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "lib/os/files/files.h"
#include "services/actuator/grant/ledger.h"
#include "tests/temp_dir.h"

namespace da::actuator {

class LedgerTest : public testing::Test {
 protected:
  std::unique_ptr<Ledger> open() { return *Ledger::open(file_); }
  std::string content() const { return *os::read_file(file_); }
  static v1::Outcome record(const std::string& grant, v1::Outcome::Kind kind = v1::Outcome::KIND_UNSPECIFIED) {
    v1::Outcome outcome;
    outcome.set_grant_id(grant);
    outcome.set_kind(kind);
    return outcome;
  }
  const test::TempDir directory_;
  const std::filesystem::path file_ = directory_.path() / "ledger";
};

inline constexpr Ledger::Retention kSmall{.replace_from_bytes = 2'000, .outcomes_for = Milliseconds(1'000)};

class LedgerThatGrows : public LedgerTest {
 protected:
  std::unique_ptr<Ledger> open_small(const Clock& clock) {
    return *Ledger::open(*open_ledger_file(file_), clock, kSmall);
  }
  static void act(Ledger& ledger, const std::string& grant) {
    ASSERT_TRUE(ledger.begin(record(grant)));
    ASSERT_TRUE(ledger.finish(record(grant, v1::Outcome::KIND_DISPATCHED)));
  }
  ManualClock clock_;
};

}  // namespace da::actuator
