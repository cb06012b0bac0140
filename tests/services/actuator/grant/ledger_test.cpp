#include "services/actuator/grant/ledger.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "lib/base/id.h"
#include "lib/os/files.h"

namespace da::actuator {
namespace {

class LedgerTest : public testing::Test {
 protected:
  LedgerTest() : file_(std::filesystem::temp_directory_path() / ("da-ledger-" + random_hex(6))) {}
  ~LedgerTest() override {
    std::filesystem::remove(file_);
    std::filesystem::remove(file_.string() + ".new");
  }
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
  // Like a disk that was full for a while.
  std::ofstream(file_, std::ios::binary) << torn.substr(0, torn.size() - 5) << three;
  const auto ledger = open();
  EXPECT_TRUE(ledger->find("one").has_value());
  EXPECT_FALSE(ledger->find("torn").has_value());
  EXPECT_TRUE(ledger->find("three").has_value());
}

constexpr Ledger::Retention kSmall{.replace_from_bytes = 2'000, .outcomes_for = Milliseconds(1'000)};

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

// Kills a process that often replaces its ledger at 100 moments. Every record that it reported as durable must be found
// afterwards. tests/faults kills at each step of the replacement.
TEST_F(LedgerThatGrows, KillsDuringReplacementLoseNoRecord) {
  const Ledger::Retention all{.replace_from_bytes = 1, .outcomes_for = Milliseconds(3'600'000)};
  std::map<std::string, v1::Outcome::Kind> durable;
  for (int death = 0; death < 100; ++death) {
    int channel[2];
    ASSERT_EQ(::pipe(channel), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto ledger = *Ledger::open(*open_ledger_file(file_), system_clock(), all);
      for (int i = 0;; ++i) {
        const std::string grant = std::to_string(death) + "-" + std::to_string(i);
        if (!ledger->begin(record(grant))) ::_exit(1);
        static_cast<void>(!::write(channel[1], ("b" + grant + "\n").data(), grant.size() + 2));
        if (i % 3 == 0) continue;  // Stays in doubt.
        if (!ledger->finish(record(grant, v1::Outcome::KIND_DISPATCHED))) ::_exit(1);
        static_cast<void>(!::write(channel[1], ("f" + grant + "\n").data(), grant.size() + 2));
      }
    }
    ::close(channel[1]);
    std::string said;
    char buffer[512];
    // Kills it after a different amount of output each time.
    while (said.size() < 40 + static_cast<std::size_t>(death) * 7 % 100) {
      const ssize_t got = ::read(channel[0], buffer, sizeof buffer);
      ASSERT_GT(got, 0);
      said.append(buffer, static_cast<std::size_t>(got));
    }
    ::kill(child, SIGKILL);
    for (ssize_t got; (got = ::read(channel[0], buffer, sizeof buffer)) > 0;) {
      said.append(buffer, static_cast<std::size_t>(got));
    }
    ::close(channel[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
      durable[line.substr(1)] = line[0] == 'f' ? v1::Outcome::KIND_DISPATCHED : v1::Outcome::KIND_UNKNOWN;
    }
    const auto ledger = open();
    for (const auto& [grant, kind] : durable) {
      const auto known = ledger->find(grant);
      ASSERT_TRUE(known.has_value()) << grant;
      if (kind == v1::Outcome::KIND_DISPATCHED) {
        ASSERT_EQ(known->kind(), kind) << grant;
      }
    }
  }
  EXPECT_GT(durable.size(), 100U);
}

// The kernel writes only a part of the record, as on a full disk.
TEST_F(LedgerTest, PartlyWrittenRecordIsAnErrorAndNoIntent) {
  const auto ledger = open();
  ASSERT_TRUE(ledger->begin(record("one")));
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit tight { std::filesystem::file_size(file_) + 5, before.rlim_max };
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto begun = ledger->begin(record("two"));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(begun);
  EXPECT_NE(begun.error().message.find("only 5 of"), std::string::npos) << begun.error().message;
  ASSERT_TRUE(ledger->begin(record("three")));
  const auto again = open();
  EXPECT_TRUE(again->find("one").has_value());
  EXPECT_EQ(again->find("two")->kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_TRUE(again->find("three").has_value());
}

TEST_F(LedgerTest, FifoIsNotOpened) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  const auto ledger = Ledger::open(file_);
  ASSERT_FALSE(ledger);
  EXPECT_NE(ledger.error().message.find("not a regular file"), std::string::npos);
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
