#include "lib/recording/reading/recovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "lib/recording/reading/recording_check.h"
#include "lib/recording/reading/recording_reader.h"
#include "tests/lib/recording/recording_fixture.h"

namespace da::recording {
namespace {

using testing::HasSubstr;

class RecoveryTest : public RecordingFixture {
 protected:
  Result<Recovery> recovered() {
    std::filesystem::remove(recovered_);
    ASSIGN_OR_RETURN(const auto file, McapFile::open(file_));
    return recover(file, recovered_);
  }
  std::string first_fault() const {
    std::string first;
    const auto file = McapFile::open(recovered_);
    if (!file) return file.error().message;
    check_recording(*file, [&](const std::string& fault) {
      if (first.empty()) first = fault;
    });
    return first;
  }
};

TEST_F(RecoveryTest, AWholeRecordingIsCopiedWithEveryMessage) {
  write();
  const auto recovery = recovered();
  ASSERT_TRUE(recovery) << recovery.error().message;
  EXPECT_EQ(recovery->facts, 2u * kFixtureChunks * kFactsInAChunk);
  EXPECT_EQ(recovery->attachments, 1u);
  EXPECT_TRUE(recovery->had_end && recovery->damage.empty());
  EXPECT_EQ(first_fault(), "");
  EXPECT_EQ(std::filesystem::status(recovered_).permissions(), std::filesystem::perms(0600));
}

TEST_F(RecoveryTest, ChunksAfterADamagedOneAreFoundAndItsFactsAreMarkedAsLost) {
  write();
  flip(starts_[2] + 100);
  const auto recovery = recovered();
  ASSERT_TRUE(recovery) << recovery.error().message;
  EXPECT_EQ(recovery->damage.size(), 1u);
  EXPECT_EQ(recovery->facts, 2u * (kFixtureChunks - 1) * kFactsInAChunk);
  EXPECT_EQ(recovery->lost, 2u * kFactsInAChunk);
  EXPECT_EQ(recovery->missing_facts, 2u * kFactsInAChunk);
  EXPECT_EQ(first_fault(), "");
  const auto reader = RecordingReader::open(recovered_);
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->gaps()->size(), 2u);
  EXPECT_EQ(RecordingReader::value((*reader)->end(), "result"), "TASK_END_DONE");
}

TEST_F(RecoveryTest, AChunkIsFoundAlthoughTheLengthBeforeItIsWrong) {
  write();
  flip(starts_[2] + 3);  // The length of the third chunk, and with it the place of all that follows.
  const auto recovery = recovered();
  ASSERT_TRUE(recovery) << recovery.error().message;
  EXPECT_EQ(recovery->facts, 2u * (kFixtureChunks - 1) * kFactsInAChunk);
  EXPECT_EQ(first_fault(), "");
}

TEST_F(RecoveryTest, DefinitionsOfADamagedChunkComeFromTheSummary) {
  write();
  flip(ends_[0] - 400);  // The first chunk, which defines the channels.
  const auto recovery = recovered();
  ASSERT_TRUE(recovery) << recovery.error().message;
  EXPECT_EQ(recovery->undefined, 0u);
  EXPECT_EQ(recovery->facts, 2u * (kFixtureChunks - 1) * kFactsInAChunk);
}

TEST_F(RecoveryTest, CutAnywhereTheResultIsIntact) {
  write({}, {{"task", "task-1"}});
  const std::string whole = bytes_of(file_);
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const auto cut = std::uniform_int_distribution<std::size_t>(ends_[0], whole.size() - 1)(random);
    replace(whole.substr(0, cut));
    const auto recovery = recovered();
    ASSERT_TRUE(recovery) << recovery.error().message;
    const auto closed = static_cast<std::uint64_t>(std::ranges::count_if(ends_, [&](auto end) { return end <= cut; }));
    EXPECT_GE(recovery->facts, 2 * closed * kFactsInAChunk) << cut;
    EXPECT_EQ(first_fault(), "") << cut;
  }
}

TEST_F(RecoveryTest, OverwrittenAnywhereTheResultIsIntactAndHasAllOtherChunks) {
  write();
  const std::string whole = bytes_of(file_);
  constexpr std::size_t kOverwritten = 200;
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const auto at = std::uniform_int_distribution<std::size_t>(ends_[0], ends_.back() - 1)(random);
    std::string damaged = whole;
    for (std::size_t i = at; i < std::min(at + kOverwritten, whole.size()); ++i)
      damaged[i] = static_cast<char>(random());
    replace(damaged);
    const auto recovery = recovered();
    ASSERT_TRUE(recovery) << recovery.error().message;
    std::uint64_t hit = 0;
    for (std::size_t chunk = 0; chunk < ends_.size(); ++chunk) {
      if (starts_[chunk] < at + kOverwritten && at < ends_[chunk]) ++hit;
    }
    EXPECT_GE(recovery->facts, 2 * (kFixtureChunks - hit) * kFactsInAChunk) << at;
    EXPECT_EQ(first_fault(), "") << at;
  }
}

TEST_F(RecoveryTest, AnExistingFileIsNotTouchedAndNothingLeavesNoFile) {
  write();
  const auto file = McapFile::open(file_);
  ASSERT_TRUE(file);
  const std::string before = bytes_of(file_);
  EXPECT_EQ(recover(*file, file_).error().code, Code::kAlreadyExists);
  EXPECT_EQ(bytes_of(file_), before);
  replace(before.substr(0, 40));
  EXPECT_THAT(recovered().error().message, HasSubstr("no message can be read"));
  EXPECT_FALSE(std::filesystem::exists(recovered_));
}

}  // namespace
}  // namespace da::recording
