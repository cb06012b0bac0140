#include "lib/recording/mcap/mcap_reader.h"
#include "lib/recording/mcap/mcap_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/temp_dir.h"

namespace da::recording {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kChunks = 10;
constexpr int kMessagesInAChunk = 20;

std::string payload(int number) { return "message " + std::to_string(number) + std::string(number % 50, 'x'); }

class McapTest : public testing::Test {
 protected:
  // Ten chunks of 20 messages on two topics, an attachment and metadata.
  void write(bool finish = true) {
    auto writer = McapWriter::create(file_);
    ASSERT_TRUE(writer) << writer.error().message;
    const auto schema = (*writer)->add_schema("da.v1.Outcome", "protobuf", "descriptors");
    const auto even = (*writer)->add_channel("even", schema, "protobuf", {{"writer", "actuator"}});
    const auto odd = (*writer)->add_channel("odd", schema, "protobuf");
    ASSERT_TRUE((*writer)->add_metadata({"run", {{"goal", "press f5"}, {"empty", ""}}}));
    ASSERT_TRUE((*writer)->add_attachment({1, 2, "rules.toml", "text/plain", "the rules"}));
    for (int number = 0; number < kChunks * kMessagesInAChunk; ++number) {
      const std::string data = payload(number);
      ASSERT_TRUE((*writer)->add_message({.channel_id = number % 2 == 0 ? even : odd,
                                          .sequence = static_cast<std::uint32_t>(number),
                                          .log_time_ns = static_cast<std::uint64_t>(number) * 10,
                                          .publish_time_ns = static_cast<std::uint64_t>(number),
                                          .data = data}));
      if (number % kMessagesInAChunk == kMessagesInAChunk - 1) {
        ASSERT_TRUE((*writer)->sync());
        ends_.push_back((*writer)->bytes_written());
      }
    }
    if (!finish) return;
    ASSERT_TRUE((*writer)->finish());
  }
  std::string bytes() const {
    std::ostringstream all;
    all << std::ifstream(file_, std::ios::binary).rdbuf();
    return all.str();
  }
  void replace(const std::string& content) const { std::ofstream(file_, std::ios::binary) << content; }

  // The numbers of the messages, after a check of their content. An error ends the list.
  std::vector<int> numbers(const McapReader& reader, const McapRange& range = {}) {
    std::vector<int> found;
    last_ = reader.read(range, [&](const McapMessage& message) {
      const int number = static_cast<int>(message.sequence);
      EXPECT_EQ(message.data, payload(number));
      EXPECT_EQ(message.log_time_ns, static_cast<std::uint64_t>(number) * 10);
      found.push_back(number);
      return ok();
    });
    return found;
  }

  const da::test::TempDir dir_;
  const std::filesystem::path file_ = dir_.path() / "run.mcap";
  std::vector<std::uint64_t> ends_;  // File offset of each chunk's end.
  Result<void> last_;
};

TEST_F(McapTest, ReadsWhatWasWritten) {
  write();
  const auto reader = McapReader::open(file_);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ((*reader)->problem(), "");
  EXPECT_EQ((*reader)->schemas().at(1).data, "descriptors");
  EXPECT_EQ((*reader)->channels().at(1).metadata.at("writer"), "actuator");
  EXPECT_EQ((*reader)->statistics().messages, 200u);
  EXPECT_EQ((*reader)->statistics().end_ns, 1990u);
  EXPECT_EQ((*reader)->statistics().messages_by_channel.at(2), 100u);
  EXPECT_EQ(numbers(**reader).size(), 200u);
  const auto attachments = (*reader)->attachments();
  ASSERT_TRUE(attachments && attachments->size() == 1);
  EXPECT_EQ(attachments->front().data, "the rules");
  const auto metadata = (*reader)->metadata();
  ASSERT_TRUE(metadata && metadata->size() == 1);
  EXPECT_EQ(metadata->front().values.at("goal"), "press f5");
}

TEST_F(McapTest, ReadsOnlyATimeAndATopic) {
  write();
  const auto reader = McapReader::open(file_);
  ASSERT_TRUE(reader);
  EXPECT_THAT(numbers(**reader, {.from_ns = 400, .to_ns = 430, .topics = {"odd"}}), ElementsAre(41, 43));
  EXPECT_THAT(numbers(**reader, {.topics = {"none"}}), ElementsAre());
}

TEST_F(McapTest, FileIsPrivateAndNeverWrittenTwice) {
  write();
  EXPECT_EQ(std::filesystem::status(file_).permissions(), std::filesystem::perms(0600));
  EXPECT_EQ(McapWriter::create(file_).error().code, Code::kAlreadyExists);
}

TEST_F(McapTest, WithoutAnEndTheClosedChunksAreRead) {
  write(false);
  const auto reader = McapReader::open(file_);
  ASSERT_TRUE(reader);
  EXPECT_THAT((*reader)->problem(), HasSubstr("not complete"));
  EXPECT_EQ(numbers(**reader).size(), 200u);
  EXPECT_EQ((*reader)->statistics().messages, 200u);
  EXPECT_EQ((*reader)->metadata()->size(), 1u);
}

TEST_F(McapTest, CutAnywhereTheClosedChunksBeforeAreRead) {
  write();
  const std::string whole = bytes();
  std::mt19937 random(1);
  for (int round = 0; round < 1'000; ++round) {
    const std::size_t cut = std::uniform_int_distribution<std::size_t>(0, whole.size() - 1)(random);
    replace(whole.substr(0, cut));
    const auto reader = McapReader::open(file_);
    const auto closed =
        static_cast<std::size_t>(std::ranges::count_if(ends_, [cut](std::uint64_t end) { return end <= cut; }));
    if (!reader) {
      EXPECT_LT(cut, kMcapMagic.size());
      continue;
    }
    EXPECT_NE((*reader)->problem(), "") << cut;
    const std::size_t found = numbers(**reader).size();
    EXPECT_TRUE(last_) << last_.error().message;
    EXPECT_GE(found, closed * kMessagesInAChunk) << cut;
    EXPECT_EQ(found % kMessagesInAChunk, 0u) << cut;
  }
}

TEST_F(McapTest, AFlippedBitIsNeverAWrongMessage) {
  write();
  const std::string whole = bytes();
  std::mt19937 random(2);
  for (int round = 0; round < 1'000; ++round) {
    const std::size_t at = std::uniform_int_distribution<std::size_t>(0, whole.size() - 1)(random);
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (round % 8)));
    replace(flipped);
    const auto reader = McapReader::open(file_);
    if (!reader) {
      EXPECT_LT(at, kMcapMagic.size());
      continue;
    }
    const auto before =
        static_cast<std::size_t>(std::ranges::count_if(ends_, [at](std::uint64_t end) { return end <= at; }));
    EXPECT_GE(numbers(**reader).size(), before * kMessagesInAChunk) << at;
    static_cast<void>((*reader)->attachments());
    static_cast<void>((*reader)->metadata());
  }
}

TEST_F(McapTest, AFileOfAnotherKindIsRefused) {
  replace("#!/bin/sh\n");
  EXPECT_EQ(McapReader::open(file_).error().code, Code::kDataLoss);
  EXPECT_FALSE(McapReader::open(dir_.path()));
  EXPECT_FALSE(McapReader::open(dir_.path() / "none"));
}

}  // namespace
}  // namespace da::recording
