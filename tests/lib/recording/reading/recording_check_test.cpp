#include "lib/recording/reading/recording_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "lib/recording/mcap/mcap_writer.h"
#include "lib/recording/schema.h"
#include "tests/lib/recording/recording_fixture.h"

namespace da::recording {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RecordingCheck : public RecordingFixture {
 protected:
  std::vector<std::string> faults() {
    std::vector<std::string> found;
    const auto file = McapFile::open(file_);
    if (!file) return {file.error().message};
    counts_ = check_recording(*file, [&](const std::string& fault) { found.push_back(fault); });
    return found;
  }
  CheckCounts counts_;
};

TEST_F(RecordingCheck, AWholeRecordingHasNoFault) {
  write();
  EXPECT_THAT(faults(), IsEmpty());
  EXPECT_EQ(counts_.facts, 2u * kFixtureChunks * kFactsInAChunk);
  EXPECT_EQ(counts_.lost, 0u);
}

TEST_F(RecordingCheck, EveryFlippedBitIsFound) {
  write();
  const std::string whole = bytes_of(file_);
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const auto at = std::uniform_int_distribution<std::size_t>(0, whole.size() - 1)(random);
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (round % 8)));
    replace(flipped);
    EXPECT_THAT(faults(), testing::Not(IsEmpty())) << "byte " << at;
  }
}

TEST_F(RecordingCheck, EveryCutIsFound) {
  write();
  const std::string whole = bytes_of(file_);
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    replace(whole.substr(0, size));
    EXPECT_THAT(faults(), testing::Not(IsEmpty())) << "cut at " << size;
  }
}

TEST_F(RecordingCheck, AnUnmarkedHoleIsAFault) {
  write(7);
  const auto found = faults();
  EXPECT_THAT(found, ElementsAre(HasSubstr("facts 7 to 7 of actuator.outcome are missing"),
                                 HasSubstr("facts 7 to 7 of planner.state are missing")));
}

TEST_F(RecordingCheck, InTheRecordingOfOneTaskAHoleMayBelongToOthers) {
  write(7, {{"task", "task-1"}});
  EXPECT_THAT(faults(), IsEmpty());
  EXPECT_EQ(counts_.of_other_tasks, 2u);
}

TEST_F(RecordingCheck, AMarkedHoleIsNoFault) {
  auto file = RecordingFile::create(file_, {});
  ASSERT_TRUE(file);
  v1::RecordingGap gap;
  gap.set_writer("actuator");
  gap.set_instance("boot1");
  gap.set_topic("actuator.outcome");
  gap.set_from(2);
  gap.set_to(4);
  ASSERT_TRUE((*file)->add(fact<v1::Outcome>(1, "actuator"), at(1)));
  ASSERT_TRUE((*file)->add(gap, at(2)));
  ASSERT_TRUE((*file)->add(fact<v1::Outcome>(5, "actuator"), at(3)));
  ASSERT_TRUE((*file)->finish({}));
  EXPECT_THAT(faults(), IsEmpty());
  EXPECT_EQ(counts_.lost, 3u);
}

TEST_F(RecordingCheck, AFactThatIsThereTwiceIsAFault) {
  auto file = RecordingFile::create(file_, {});
  ASSERT_TRUE(file);
  for (int twice = 0; twice < 2; ++twice) {
    ASSERT_TRUE((*file)->add(fact<v1::Outcome>(1, "actuator"), at(1)));
  }
  ASSERT_TRUE((*file)->finish({}));
  EXPECT_THAT(faults(), ElementsAre(HasSubstr("fact 1 of actuator.outcome is there twice")));
}

// An MCAP file with right checksums, whose content is wrong.
TEST_F(RecordingCheck, AMessageThatIsNotOfItsSchemaIsAFault) {
  auto writer = McapWriter::create(file_);
  ASSERT_TRUE(writer);
  const auto schema = (*writer)->add_schema("da.v1.Outcome", "protobuf", schema_of(*v1::Outcome::descriptor()));
  const auto channel = (*writer)->add_channel("actuator.outcome", schema, "protobuf");
  const auto bad_schema = (*writer)->add_schema("da.v1.Nothing", "protobuf", "not a descriptor");
  const auto bad_channel = (*writer)->add_channel("nothing", bad_schema, "protobuf");
  ASSERT_TRUE((*writer)->add_message({.channel_id = channel, .sequence = 1, .data = "\xff\xff\xff"}));
  ASSERT_TRUE((*writer)->add_message({.channel_id = bad_channel, .sequence = 2, .data = ""}));
  ASSERT_TRUE((*writer)->add_message({.channel_id = 99, .sequence = 3, .data = ""}));
  ASSERT_TRUE((*writer)->finish());
  const auto found = faults();
  EXPECT_THAT(found, Contains(HasSubstr("cannot be parsed as da.v1.Outcome")));
  EXPECT_THAT(found, Contains(HasSubstr("schema 2 (da.v1.Nothing) is unusable")));
  EXPECT_THAT(found, Contains(HasSubstr("channel 99, which is not defined before")));
  EXPECT_THAT(found, Contains(HasSubstr("it is no recording of DesktopAssist")));
}

TEST_F(RecordingCheck, FaultsAfterADamagedChunkAreFoundToo) {
  write();
  flip(starts_[1] + 100);
  flip(starts_[4] + 100);
  const auto found = faults();
  EXPECT_EQ(std::ranges::count_if(found, [](const auto& fault) { return fault.ends_with("is damaged"); }), 2);
  EXPECT_EQ(counts_.facts, 2u * (kFixtureChunks - 2) * kFactsInAChunk);
}

}  // namespace
}  // namespace da::recording
