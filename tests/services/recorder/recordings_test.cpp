#include "services/recorder/recordings.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "da/v1/history.pb.h"
#include "da/v1/model.pb.h"
#include "da/v1/observation.pb.h"
#include "da/v1/outcome.pb.h"
#include "da/v1/task.pb.h"
#include "lib/base/id.h"
#include "lib/recording/reading/recording_check.h"
#include "lib/recording/reading/recording_reader.h"
#include "lib/recording/recording_directory.h"
#include "tests/temp_dir.h"

namespace da::recorder {
namespace {

using recording::RecordedFact;
using recording::RecordingReader;

template <class Message>
RecordedFact fact(Message message, const std::string& task_id) {
  message.mutable_header()->set_task_id(task_id);
  message.mutable_header()->set_wall_ns(1'000);
  return {Message::descriptor(), message.header(), message.SerializeAsString()};
}

RecordedFact opened(const std::string& task_id) {
  v1::TaskOpened opened;
  opened.mutable_request()->set_goal("write a letter");
  return fact(opened, task_id);
}

struct RecordingsTest : testing::Test {
  test::TempDir dir;
  ManualClock clock;
  int lease_changes = 0;
  Recordings recordings{{.directory = dir.path(),
                         .limits = {},
                         .descriptions =
                             [] {
                               v1::ServiceDescription planner;
                               planner.set_service("planner");
                               planner.set_version("1");
                               planner.set_config_toml("desktop = \"x\"\n");
                               return std::vector{planner};
                             },
                         .lease_changed = [this] { ++lease_changes; }},
                        clock};

  std::vector<std::string> topics(const std::filesystem::path& file) {
    std::vector<std::string> topics;
    const auto recording = RecordingReader::open(file).value();
    EXPECT_TRUE(recording->facts({}, [&](const RecordingReader::Fact& read) {
      topics.push_back(read.topic);
      return ok();
    }));
    return topics;
  }
};

using Topics = std::vector<std::string>;

TEST_F(RecordingsTest, HoldsTheFactsOfTheTaskAndThoseOfNoTask) {
  recordings.add(opened("t1"), clock.wall_now());
  ASSERT_EQ(recordings.lease().recordings_size(), 1);
  EXPECT_EQ(recordings.lease().recordings(0).task_id(), "t1");
  EXPECT_EQ(lease_changes, 1);
  recordings.add(fact(v1::Outcome(), "t1"), clock.wall_now());
  recordings.add(fact(v1::Outcome(), "t2"), clock.wall_now());
  recordings.add(fact(v1::PolicyHalt(), ""), clock.wall_now());
  v1::TaskEnded ended;
  ended.mutable_result()->set_end(v1::TASK_END_DONE);
  ended.mutable_result()->set_summary("written");
  recordings.add(fact(ended, "t1"), clock.wall_now());
  recordings.finish("t1", "");

  const auto found = recordings.find("t1", Milliseconds(0)).value();
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(topics(found.file()), (Topics{"policy.task", "actuator.outcome", "policy.halt", "planner.end"}));
  const auto recording = RecordingReader::open(found.file()).value();
  EXPECT_EQ(recording->file().problem(), "");
  EXPECT_EQ(RecordingReader::value(recording->about(), "goal"), "write a letter");
  EXPECT_EQ(RecordingReader::value(recording->end(), "result"), "TASK_END_DONE");
  EXPECT_EQ(RecordingReader::value(recording->end(), "facts"), "4");
  EXPECT_EQ(recordings.lease().recordings_size(), 0);
}

TEST_F(RecordingsTest, AttachesRulesConfigurationsVersionsAndTheContract) {
  recordings.add(opened("t1"), clock.wall_now());
  v1::RuleFile rules;
  rules.set_toml("# rules");
  recordings.add(fact(rules, "t1"), clock.wall_now());
  recordings.finish("t1", "");
  std::map<std::string, std::string> attached;
  const auto recording = RecordingReader::open(recordings.find("t1", Milliseconds(0))->file()).value();
  const auto attachments = recording->file().attachments().value();
  for (const auto& one : attachments) attached[one.name] = one.data;
  EXPECT_EQ(attached["rules.toml"], "# rules");
  EXPECT_EQ(attached["config/planner.toml"], "desktop = \"x\"\n");
  EXPECT_EQ(attached["versions.txt"], "planner 1\n");
  EXPECT_GT(attached["contract.fds"].size(), 1000u);
}

TEST_F(RecordingsTest, OnlyItsOwnerCanReadIt) {
  recordings.add(opened("t1"), clock.wall_now());
  struct stat info {};
  ASSERT_EQ(::stat(recordings.find("t1", Milliseconds(0))->file().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(RecordingsTest, AnOutcomeIsSoonOnTheDisk) {
  recordings.add(opened("t1"), clock.wall_now());
  recordings.add(fact(v1::TaskStateChanged(), "t1"), clock.wall_now());
  recordings.add(fact(v1::Outcome(), "t1"), clock.wall_now());
  EXPECT_EQ(recordings.next_sync(), clock.now() + Recordings::kSyncSoon);
  clock.advance(Recordings::kSyncSoon);
  recordings.sync_if_due();
  recordings.add(fact(v1::TaskStateChanged(), "t1"), clock.wall_now());
  // Read while it is written, as after a crash.
  const auto file = recordings.find("t1", Milliseconds(0))->file();
  EXPECT_NE(RecordingReader::open(file).value()->file().problem(), "");
  EXPECT_EQ(topics(file), (Topics{"policy.task", "planner.state", "actuator.outcome"}));
}

TEST_F(RecordingsTest, EverythingIsOnTheDiskAfterASecond) {
  recordings.add(opened("t1"), clock.wall_now());
  recordings.add(fact(v1::TaskStateChanged(), "t1"), clock.wall_now());
  const auto file = recordings.find("t1", Milliseconds(0))->file();
  clock.advance(Recordings::kSyncEvery - Milliseconds(1));
  recordings.sync_if_due();
  EXPECT_EQ(topics(file), Topics{"policy.task"});
  clock.advance(Milliseconds(1));
  recordings.sync_if_due();
  EXPECT_EQ(topics(file), (Topics{"policy.task", "planner.state"}));
}

TEST_F(RecordingsTest, CountsLostFacts) {
  recordings.add(opened("t1"), clock.wall_now());
  v1::RecordingGap gap;
  gap.set_topic("observer.image");
  gap.set_from(3);
  gap.set_to(5);
  recordings.add(gap, clock.wall_now());
  recordings.finish("t1", "");
  const auto found = recordings.find("t1", Milliseconds(0)).value();
  EXPECT_EQ(found.lost(), 3u);
  const auto gaps = RecordingReader::open(found.file()).value()->gaps().value();
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].topic(), "observer.image");
}

TEST_F(RecordingsTest, ADirectoryThatCannotBeWrittenIsAProblemOfTheLease) {
  std::filesystem::remove_all(dir.path());
  recordings.add(opened("t1"), clock.wall_now());
  ASSERT_EQ(recordings.lease().recordings_size(), 1);
  EXPECT_NE(recordings.lease().recordings(0).problem(), "");
  EXPECT_EQ(lease_changes, 1);
  recordings.finish("t1", "");
  EXPECT_EQ(recordings.lease().recordings_size(), 0) << "the task is over";
}

TEST_F(RecordingsTest, RecordingThatIsOpenWhenTheRecorderStopsSaysSo) {
  recordings.add(opened("t1"), clock.wall_now());
  const auto file = recordings.find("t1", Milliseconds(0))->file();
  recordings.finish_all("da-recorder was stopped");
  const auto recording = RecordingReader::open(file).value();
  EXPECT_EQ(RecordingReader::value(recording->end(), "cut"), "da-recorder was stopped");
  EXPECT_EQ(recording->file().problem(), "");
}

// Bug: a planner that published 1.5 GB in 19 s made the retention delete all recordings, its own task's included.
TEST_F(RecordingsTest, TaskThatPublishesTooMuchEndsItsOwnRecordingOnly) {
  constexpr std::uint64_t kAll = 4 << 20;
  Recordings small({.directory = dir.path(),
                    .limits = {.bytes = kAll},
                    .descriptions = [] { return std::vector<v1::ServiceDescription>(); },
                    .lease_changed = [] {}},
                   clock);
  small.add(opened("greedy"), clock.wall_now());
  small.add(opened("modest"), clock.wall_now());
  v1::Outcome outcome;
  for (int number = 0; number < 60; ++number) {
    outcome.mutable_header()->set_writer("actuator");
    outcome.set_message(random_hex(50'000));
    small.add(fact(outcome, "greedy"), clock.wall_now());
    clock.advance(Recordings::kSyncEvery);
    small.sync_if_due();
  }
  const auto lease = small.lease();
  ASSERT_EQ(lease.recordings_size(), 2);
  for (const auto& recording : lease.recordings()) {
    EXPECT_EQ(recording.problem(), recording.task_id() == "greedy" ? "it has more than 1 MB" : "");
  }
  small.finish("modest", "");
  EXPECT_TRUE(small.find("modest", Milliseconds(0))->complete());
  std::uintmax_t bytes = 0;
  for (const auto& file : recording::recordings_in(dir.path())) {
    bytes += std::filesystem::file_size(file);
    EXPECT_EQ(RecordingReader::open(file).value()->file().problem(), "") << file;
  }
  EXPECT_LT(bytes, kAll / 2);
}

// Bug: a planner that published much ended the recording of its task, and with it what the policy and the actuator did.
TEST_F(RecordingsTest, PlannerThatPublishesTooMuchFillsOnlyItsShare) {
  Recordings small({.directory = dir.path(),
                    .limits = {.bytes = 40 << 20},
                    .descriptions = [] { return std::vector<v1::ServiceDescription>(); },
                    .lease_changed = [] {}},
                   clock);
  small.add(opened("t1"), clock.wall_now());
  constexpr int kCalls = 5'000;
  for (int number = 1; number <= kCalls; ++number) {
    v1::ModelCall call;
    call.mutable_header()->set_writer("planner");
    call.mutable_header()->set_sequence(static_cast<std::uint64_t>(number));
    call.set_reply(random_hex(50'000));
    small.add(fact(call, "t1"), clock.wall_now());
    v1::Outcome outcome;
    outcome.mutable_header()->set_writer("actuator");
    outcome.mutable_header()->set_sequence(static_cast<std::uint64_t>(number));
    small.add(fact(outcome, "t1"), clock.wall_now());
    clock.advance(Recordings::kSyncEvery);
    small.sync_if_due();
  }
  ASSERT_EQ(small.lease().recordings_size(), 1);
  EXPECT_EQ(small.lease().recordings(0).problem(), "");
  small.finish("t1", "");
  const auto found = small.find("t1", Milliseconds(0));
  ASSERT_TRUE(found);
  const auto written = topics(found->file());
  const auto calls = std::ranges::count(written, "planner.model_call");
  EXPECT_EQ(std::ranges::count(written, "actuator.outcome"), kCalls);
  EXPECT_GT(calls, 10);
  EXPECT_LE(calls * 100'000, (10 << 20) / 3) << "a third of the task's quarter";
  EXPECT_EQ(found->lost(), static_cast<std::uint64_t>(kCalls - calls)) << "each is told";
  std::vector<std::string> faults;
  recording::check_recording(recording::McapFile::open(found->file()).value(),
                             [&](const std::string& fault) { faults.push_back(fault); });
  EXPECT_EQ(faults, std::vector<std::string>());
}

TEST_F(RecordingsTest, AnUnknownTaskHasNone) {
  EXPECT_EQ(recordings.find("t9", Milliseconds(0)).error().code, Code::kNotFound);
}

TEST_F(RecordingsTest, NoTaskIdLeavesTheDirectory) {
  const std::vector<std::string> ids = {"../../up",   "/tmp/abs", "a/../../b", std::string("nul\0nul", 7),
                                        "\x1b[2Jx\n", ".."};
  for (const std::string& id : ids) recordings.add(opened(id), clock.wall_now());
  EXPECT_EQ(recordings.lease().recordings_size(), static_cast<int>(ids.size()));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    EXPECT_EQ(entry.path().extension(), ".mcap");
    EXPECT_EQ(entry.path().filename().string().find_first_not_of(
                  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_."),
              std::string::npos);
    ++files;
  }
  EXPECT_EQ(files, static_cast<int>(ids.size()));
}

TEST_F(RecordingsTest, TasksBeyondTheLimitAreNotRecorded) {
  for (std::size_t number = 0; number < Recordings::kMostOpen + 50; ++number) {
    recordings.add(opened("t" + std::to_string(number)), clock.wall_now());
  }
  EXPECT_EQ(recordings.lease().recordings_size(), static_cast<int>(Recordings::kMostOpen));
}

}  // namespace
}  // namespace da::recorder
