#include "services/policy/audit/log.h"

#include <signal.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "lib/os/process/pipe.h"
#include "services/policy/audit/head.h"
#include "tests/services/policy/audit/log_files.h"

namespace da::policy {
namespace {

using test::note;
using testing::HasSubstr;
using testing::SizeIs;

class AuditLogTest : public testing::Test, protected test::LogFiles {
 protected:
  static std::vector<AuditRecord> one(const std::string& text) {
    std::vector<AuditRecord> records;
    records.push_back(note(text));
    return records;
  }
  static std::set<std::string> texts(const std::vector<std::string>& lines) {
    std::set<std::string> found;
    for (const auto& line : lines) {
      const auto record = nlohmann::json::parse(line);
      if (record.contains("text")) found.insert(record["text"]);
    }
    return found;
  }
};

TEST_F(AuditLogTest, RecordsAreWrittenBetweenStartAndStop) {
  {
    const auto log = open();
    ASSERT_TRUE(log->write(one("hi"), Reach::kDisk));
    EXPECT_THAT(lines(), SizeIs(2));
  }
  ASSERT_THAT(lines(), SizeIs(3));
  EXPECT_THAT(lines()[0], HasSubstr("\"kind\":\"started\""));
  EXPECT_THAT(lines()[0], HasSubstr("\"key\":\"" + to_hex(key.public_bytes)));
  EXPECT_THAT(lines()[2], HasSubstr("\"kind\":\"stopped\""));
  EXPECT_TRUE(verify().intact());
}

TEST_F(AuditLogTest, StartAndStopAreSigned) {
  {
    const auto log = open();
    ASSERT_THAT(head_lines(), SizeIs(1));
    EXPECT_EQ(read_head(head_lines()[0])->head.seq, 1u);
    ASSERT_TRUE(log->write(one("hi"), Reach::kKernel));
  }
  ASSERT_THAT(head_lines(), SizeIs(2));
  const auto last = read_head(head_lines()[1]);
  EXPECT_TRUE(last->signature_valid);
  EXPECT_EQ(last->head.seq, 3u);
  EXPECT_EQ(verify({to_hex(key.public_bytes)}).signed_up_to, 3u);
}

// The signed bytes are spelled out on purpose: the domain, a zero byte and the line up to its signature.
TEST_F(AuditLogTest, HeadIsSignedInItsOwnDomain) {
  open();
  const std::string line = head_lines()[0];
  const auto end = line.find(",\"signature\":\"");
  const std::string input = std::string("da.v1.audit-head") + '\0' + line.substr(0, end);
  std::string signature(crypto_sign_BYTES, '\0');
  const std::string digits = line.substr(end + 14, 128);
  ASSERT_EQ(sodium_hex2bin(reinterpret_cast<unsigned char*>(signature.data()), signature.size(), digits.data(),
                           digits.size(), nullptr, nullptr, nullptr),
            0);
  EXPECT_EQ(crypto_sign_verify_detached(reinterpret_cast<const unsigned char*>(signature.data()),
                                        reinterpret_cast<const unsigned char*>(input.data()), input.size(),
                                        reinterpret_cast<const unsigned char*>(key.public_bytes.data())),
            0);
  EXPECT_FALSE(key.verifies(line.substr(0, end), signature));
}

TEST_F(AuditLogTest, ManyRecordsGetAHeadInBetween) {
  const auto log = open();
  for (std::uint64_t i = 0; i < AuditLog::kHeadRecords; ++i) ASSERT_TRUE(log->write(one("x"), Reach::kKernel));
  ASSERT_TRUE(log->write(one("x"), Reach::kDisk));
  const auto deadline = system_clock().now() + std::chrono::seconds(10);
  while (head_lines().size() < 2 && system_clock().now() < deadline) std::this_thread::yield();
  ASSERT_THAT(head_lines(), SizeIs(2));
  EXPECT_GT(read_head(head_lines()[1])->head.seq, AuditLog::kHeadRecords / 2);
}

TEST_F(AuditLogTest, FailedHeadIsReportedAndStopsNothing) {
  std::filesystem::create_directory(heads);
  const auto log = open();
  EXPECT_TRUE(log->write(one("hi"), Reach::kDisk));
  EXPECT_THAT(log->heads_problem(), HasSubstr("open"));
  EXPECT_THAT(log->describe(), HasSubstr("its heads CANNOT BE WRITTEN"));
}

TEST_F(AuditLogTest, ManyWritersShareOneChain) {
  constexpr int kWriters = 8;
  constexpr int kEach = 200;
  const auto log = open();
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        for (int i = 0; i < kEach; ++i) {
          std::vector<AuditRecord> pair;
          pair.push_back(note(std::to_string(writer) + "/" + std::to_string(i) + "/first"));
          pair.push_back(note(std::to_string(writer) + "/" + std::to_string(i) + "/second"));
          EXPECT_TRUE(log->write(std::move(pair), i % 2 == 0 ? Reach::kDisk : Reach::kKernel));
        }
      });
    }
  }
  const auto all = lines();
  EXPECT_THAT(all, SizeIs(1 + 2 * kWriters * kEach));
  EXPECT_THAT(texts(all), SizeIs(2 * kWriters * kEach));
  EXPECT_TRUE(verify().intact());
  for (std::size_t i = 1; i + 1 < all.size(); i += 2) {
    const std::string first = nlohmann::json::parse(all[i])["text"];
    const std::string second = nlohmann::json::parse(all[i + 1])["text"];
    EXPECT_EQ(first.substr(0, first.rfind('/')), second.substr(0, second.rfind('/')));
  }
}

TEST_F(AuditLogTest, FailureIsReportedAndLostRecordsAreCounted) {
  const auto log = open();
  const auto elsewhere = dir.path() / "elsewhere";
  std::filesystem::rename(file, elsewhere);
  EXPECT_FALSE(log->write(one("lost"), Reach::kDisk));
  EXPECT_THAT(log->problem(), HasSubstr("is gone"));
  EXPECT_THAT(log->describe(), HasSubstr("CANNOT BE WRITTEN"));
  std::filesystem::rename(elsewhere, file);
  ASSERT_TRUE(log->write(one("kept"), Reach::kDisk));
  EXPECT_EQ(log->problem(), "");
  const auto recovered = nlohmann::json::parse(lines()[1]);
  EXPECT_EQ(recovered["kind"], "recovered");
  EXPECT_EQ(recovered["lost_records"], 1);
  EXPECT_THAT(recovered["problem"].get<std::string>(), HasSubstr("is gone"));
  EXPECT_EQ(texts(lines()), std::set<std::string>{"kept"});
  EXPECT_TRUE(verify().intact());
}

// The keeper tries again, so that problem() clears without another write.
TEST_F(AuditLogTest, RecoveryIsNoticedWithoutAWrite) {
  const auto log = open();
  const auto elsewhere = dir.path() / "elsewhere";
  std::filesystem::rename(file, elsewhere);
  EXPECT_FALSE(log->write(one("lost"), Reach::kDisk));
  std::filesystem::rename(elsewhere, file);
  const auto deadline = system_clock().now() + std::chrono::seconds(10);
  while (!log->problem().empty() && system_clock().now() < deadline) std::this_thread::yield();
  EXPECT_EQ(log->problem(), "");
}

TEST_F(AuditLogTest, AFileThatIsNoAuditLogIsNotOpened) {
  ASSERT_TRUE(os::write_private_file(file, "dear diary\n"));
  const auto log = AuditLog::open({file, heads}, signer(), AuditRecord("started", clock.wall_now()), clock);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code, Code::kDataLoss);
}

// Writes from several threads until it is killed, and reports acknowledged records through the pipe.
[[noreturn]] void write_until_killed(const AuditLog::Place& place, const GrantSigner& signer, int run, int answered) {
  const auto log = AuditLog::open(place, signer, AuditRecord("started", {}), system_clock());
  if (!log) _exit(1);
  const auto write = [&](int writer) {
    for (int i = 0;; ++i) {
      const std::string text = std::to_string(run) + "." + std::to_string(writer) + "." + std::to_string(i);
      std::vector<AuditRecord> records;
      records.push_back(note(text));
      if (!(*log)->write(std::move(records), i % 2 == 0 ? Reach::kDisk : Reach::kKernel)) _exit(1);
      const std::string line = text + "\n";
      if (::write(answered, line.data(), line.size()) < 0) _exit(1);
    }
  };
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 3; ++writer) writers.emplace_back(write, writer);
  for (auto& writer : writers) writer.join();
  _exit(1);
}

TEST_F(AuditLogTest, AcknowledgedRecordsSurviveKills) {
  std::set<std::string> answered;
  for (int run = 0; run < 20; ++run) {
    auto pipe = *os::make_pipe();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) write_until_killed({file, heads}, signer(), run, pipe.writer.get());
    pipe.writer.reset();
    std::string told;
    char buffer[512];
    // Kills at a different moment in each run.
    while (told.size() < static_cast<std::size_t>(100 + 300 * run)) {
      const ssize_t got = ::read(pipe.reader.get(), buffer, sizeof buffer);
      ASSERT_GT(got, 0);
      told.append(buffer, static_cast<std::size_t>(got));
    }
    kill(child, SIGKILL);
    for (ssize_t got = 0; (got = ::read(pipe.reader.get(), buffer, sizeof buffer)) > 0;) {
      told.append(buffer, static_cast<std::size_t>(got));
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    for (const auto& text : test::split_lines(told.substr(0, told.rfind('\n') + 1))) answered.insert(text);
  }
  open();
  EXPECT_TRUE(verify().intact());
  const auto kept = texts(lines());
  EXPECT_GT(answered.size(), 20u);
  EXPECT_TRUE(std::ranges::includes(kept, answered));
}

}  // namespace
}  // namespace da::policy
