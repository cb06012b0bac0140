#include "lib/recording/reading/recording_summary.h"

#include <gtest/gtest.h>

#include "tests/lib/recording/recording_fixture.h"

namespace da::recording {
namespace {

class RecordingSummaryTest : public RecordingFixture {};

TEST_F(RecordingSummaryTest, CountsFactsWithoutReadingThem) {
  write({}, {{"goal", "press f5"}});
  const auto summary = summarize(file_);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->state, RecordingState::kComplete);
  EXPECT_EQ(summary->facts, 2u * kFixtureChunks * kFactsInAChunk);
  EXPECT_EQ(summary->about.at("goal"), "press f5");
  EXPECT_EQ(summary->end.at("result"), "TASK_END_DONE");
  EXPECT_DOUBLE_EQ(summary->seconds(), 590e-9);
}

TEST_F(RecordingSummaryTest, AFileThatIsOpenForWritingIsBeingWritten) {
  auto writing = RecordingFile::create(file_, {});
  ASSERT_TRUE(writing);
  EXPECT_EQ(summarize(file_)->state, RecordingState::kBeingWritten);
  writing->reset();
  EXPECT_EQ(summarize(file_)->state, RecordingState::kCut);
}

TEST_F(RecordingSummaryTest, OnlyALimitedPartOfACutFileIsRead) {
  write();
  replace(bytes_of(file_).substr(0, ends_[4] + 3));
  EXPECT_EQ(summarize(file_)->facts, 2u * 5 * kFactsInAChunk);
  EXPECT_EQ(summarize(file_, ends_[0] - 1)->facts, 2u * kFactsInAChunk);
}

TEST_F(RecordingSummaryTest, LostFactsAreCountedByTopic) {
  auto file = RecordingFile::create(file_, {});
  ASSERT_TRUE(file);
  v1::RecordingGap gap;
  gap.set_topic("actuator.outcome");
  gap.set_from(2);
  gap.set_to(4);
  ASSERT_TRUE((*file)->add(gap, at(2)));
  ASSERT_TRUE((*file)->finish({}));
  EXPECT_EQ(summarize(file_)->lost.at("actuator.outcome"), 3u);
}

}  // namespace
}  // namespace da::recording
