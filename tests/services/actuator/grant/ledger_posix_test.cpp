#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "tests/services/actuator/grant/ledger_fixture.h"

namespace da::actuator {
namespace {

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

}  // namespace
}  // namespace da::actuator
