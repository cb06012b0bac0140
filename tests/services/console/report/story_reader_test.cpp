#include "services/console/report/story_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/recording/recording_file.h"
#include "services/console/report/story_text.h"
#include "tests/temp_dir.h"

namespace da::console {
namespace {

using testing::HasSubstr;

// A complete PNG header; the pixels do not matter here.
std::string small_png(char seed) {
  return std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x04\x08\x02\0\0\0", 29) + seed;
}

class StoryReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    auto created = recording::RecordingFile::create(path(), {{"task", "task1"}, {"goal", "a goal"}});
    ASSERT_TRUE(created);
    file_ = *std::move(created);
  }

  std::filesystem::path path() const { return dir_.path() / "story.mcap"; }

  template <class T>
  void add(T message, const std::string& task = "task1") {
    message.mutable_header()->set_task_id(task);
    now_ += Milliseconds(10);
    ASSERT_TRUE(file_->add({T::descriptor(), message.header(), message.SerializeAsString()}, now_));
  }

  void add_gap(const v1::RecordingGap& gap) { ASSERT_TRUE(file_->add(gap, now_)); }

  TaskStory story(StoryImages images = StoryImages::kWithout) {
    EXPECT_TRUE(file_->finish({}));
    const auto recording = recording::RecordingReader::open(path());
    EXPECT_TRUE(recording);
    return read_story(**recording, images);
  }

  static v1::Step step(const std::string& id) {
    v1::Step step;
    step.set_step_id(id);
    step.mutable_action()->mutable_write()->set_text("hello");
    return step;
  }

  void add_plan(const std::string& step_id, const std::string& frame = "") {
    v1::Plan plan;
    *plan.add_steps() = step(step_id);
    plan.set_frame_id(frame);
    add(plan);
  }

  void add_observation(const std::string& frame, const std::string& hash) {
    v1::Observation seen;
    seen.set_frame_id(frame);
    seen.set_image_hash(hash);
    add(seen);
  }

  void add_outcome(const std::string& step_id, v1::Outcome::Kind kind) {
    v1::Outcome outcome;
    outcome.set_step_id(step_id);
    outcome.set_kind(kind);
    add(outcome);
  }

  void add_decision(const std::string& id, v1::ApprovalDecision::Answer answer) {
    v1::ApprovalDecision decision;
    decision.set_step_id("s1");
    decision.set_approval_id(id);
    decision.set_answer(answer);
    decision.set_approver("ada@console");
    add(decision);
  }

 private:
  test::TempDir dir_;
  std::unique_ptr<recording::RecordingFile> file_;
  WallTime now_{std::chrono::hours(24 * 365 * 50)};
};

TEST_F(StoryReaderTest, FactsOfAStepAreGatheredByItsId) {
  add_plan("s1");
  add_plan("s2");
  v1::Verdict verdict;
  verdict.set_step_id("s1");
  verdict.set_decision(v1::Verdict::DECISION_ALLOW);
  verdict.set_rule("writing");
  add(verdict);
  add_outcome("s1", v1::Outcome::KIND_DISPATCHED);
  const auto read = story();
  ASSERT_EQ(read.steps.size(), 2u);
  EXPECT_EQ(step_status(read.steps[0]), StepStatus::kUnproven);
  EXPECT_THAT(verdict_words(read.steps[0]), HasSubstr("allow, rule writing"));
  EXPECT_EQ(step_status(read.steps[1]), StepStatus::kOpen);
  EXPECT_EQ(read.entries.size(), 2u);
}

TEST_F(StoryReaderTest, WhatFailedIsCountedWithAndWithoutAStep) {
  for (const std::string id : {"s1", "s2", "s3"}) add_plan(id);
  add_outcome("s1", v1::Outcome::KIND_CONFIRMED);
  add_outcome("s2", v1::Outcome::KIND_NO_EFFECT);
  add_outcome("s3", v1::Outcome::KIND_REFUSED);
  for (const auto stage : {v1::PartFailed::STAGE_REPLY, v1::PartFailed::STAGE_TARGET}) {
    v1::PartFailed failed;
    failed.set_stage(stage);
    failed.set_reason("\"Save\" is nowhere on the screen");
    add(failed);
  }
  const auto read = story();
  EXPECT_EQ(step_status(read.steps[1]), StepStatus::kNoEffect);
  EXPECT_EQ(counts_words(read), "3 proposed, 1 of these without effect, 3 failed or not begun");
  EXPECT_EQ(read.entries.size(), 5u) << "three steps and two failures";
}

TEST_F(StoryReaderTest, AStepWhosePlanIsLostIsKnownFromItsJudgement) {
  v1::StepJudged judged;
  *judged.mutable_step() = step("s1");
  judged.set_decision(v1::Verdict::DECISION_DENY);
  judged.set_rule("default");
  add(judged);
  add_outcome("s1", v1::Outcome::KIND_REFUSED);
  const auto read = story();
  ASSERT_EQ(read.steps.size(), 1u);
  EXPECT_EQ(action_words(read.steps[0]), "write text=\"hello\"");
  EXPECT_EQ(verdict_words(read.steps[0]), "deny, rule default");
}

TEST_F(StoryReaderTest, AStepOfWhichOnlyTheOutcomeIsLeftIsShown) {
  add_outcome("s1", v1::Outcome::KIND_UNSPECIFIED);
  const auto read = story();
  ASSERT_EQ(read.steps.size(), 1u);
  EXPECT_EQ(step_status(read.steps[0]), StepStatus::kUnknown);
  EXPECT_THAT(action_words(read.steps[0]), HasSubstr("does not hold"));
}

TEST_F(StoryReaderTest, AnAnswerWithoutItsQuestionCounts) {
  add_decision("k7m2p", v1::ApprovalDecision::ANSWER_APPROVED);
  const auto read = story();
  ASSERT_EQ(read.steps.size(), 1u);
  ASSERT_EQ(read.steps[0].approvals.size(), 1u);
  EXPECT_EQ(answer_words(read.steps[0].approvals[0]), "k7m2p approved by ada@console");
  EXPECT_EQ(read.approvals.approved, 1u);
}

TEST_F(StoryReaderTest, AnUnknownAnswerCountsAsADenial) {
  add_decision("a", v1::ApprovalDecision::ANSWER_UNSPECIFIED);
  add_decision("b", static_cast<v1::ApprovalDecision::Answer>(77));
  add_decision("c", v1::ApprovalDecision::ANSWER_SKIPPED);
  EXPECT_EQ(story().approvals.denied, 3u);
}

TEST_F(StoryReaderTest, FactsOfOtherTasksAreLeftOutAndTold) {
  add_plan("s1");
  v1::Plan other;
  *other.add_steps() = step("s2");
  add(other, "task2");
  const auto read = story();
  EXPECT_EQ(read.steps.size(), 1u);
  EXPECT_THAT(completeness_words(read), HasSubstr("several tasks"));
}

TEST_F(StoryReaderTest, LostFactsAreCounted) {
  add_plan("s1");
  v1::RecordingGap gap;
  gap.set_from(3);
  gap.set_to(7);
  add_gap(gap);
  const auto read = story();
  EXPECT_EQ(read.lost, 5u);
  EXPECT_THAT(completeness_words(read), HasSubstr("5 facts were lost"));
}

TEST_F(StoryReaderTest, ARecordingThatLacksNothingIsComplete) {
  add_plan("s1");
  EXPECT_EQ(completeness_words(story()), "complete");
}

TEST_F(StoryReaderTest, AStepHasTheScreenshotOfItsFrame) {
  add_observation("f1", "h1");
  add_observation("f2", "h2");
  add_plan("s1", "f1");
  add_plan("s2", "unseen");
  add_observation("f3", "h3");
  const auto read = story();
  EXPECT_EQ(read.steps[0].match, StoryStep::Match::kSameFrame);
  EXPECT_EQ(read.screenshots[read.steps[0].screenshot].image_hash, "h1");
  EXPECT_EQ(read.steps[1].match, StoryStep::Match::kEarlier);
  EXPECT_EQ(read.screenshots[read.steps[1].screenshot].image_hash, "h2");
}

TEST_F(StoryReaderTest, AnImageThatIsNotWhatItClaimsIsLeftOut) {
  const auto add_image = [&](const std::string& data, const std::string& hash) {
    v1::ImageFact image;
    image.set_data(data);
    image.set_image_hash(hash);
    image.set_media_type("text/html");  // The bytes decide, not the claim.
    add(image);
  };
  const std::string good = small_png('a');
  add_image(good, image_hash_of(good));
  add_image(small_png('b'), image_hash_of(good) + "0");
  add_image("<svg onload=alert(1)>", image_hash_of("<svg onload=alert(1)>"));
  const auto read = story(StoryImages::kWith);
  ASSERT_EQ(read.images.size(), 1u);
  EXPECT_EQ(read.images.at(image_hash_of(good)).media_type, "image/png");
  EXPECT_EQ(read.images.at(image_hash_of(good)).width, 8u);
  EXPECT_EQ(read.events.size(), 2u);
}

TEST_F(StoryReaderTest, FactsBeyondTheLimitOfMemoryAreCounted) {
  for (int i = 0; i < 90; ++i) {
    v1::TaskClosed closed;
    add(closed);
    v1::Plan plan;
    v1::Step large = step("s" + std::to_string(i));
    large.set_justification(std::string(1 << 20, 'x'));
    *plan.add_steps() = large;
    add(plan);
  }
  const auto read = story();
  EXPECT_GT(read.left_out, 20u);
  EXPECT_LT(read.left_out, 90u);
  EXPECT_THAT(completeness_words(read), HasSubstr("left out here"));
}

TEST_F(StoryReaderTest, EachRuleFileIsThereOnce) {
  for (const char* version : {"v1", "v1", "v2"}) {
    v1::RuleFile rules;
    rules.set_version(version);
    add(rules, "");
  }
  const auto read = story();
  ASSERT_EQ(read.rules.size(), 2u);
  EXPECT_EQ(read.rules[1].version(), "v2");
}

TEST_F(StoryReaderTest, EventsAreEscaped) {
  v1::PolicyHalt halt;
  halt.set_halted(true);
  halt.set_reason("\x1b[2J\u202e");
  add(halt, "");
  const auto read = story();
  ASSERT_EQ(read.events.size(), 1u);
  EXPECT_EQ(read.events[0].noun, "policy");
  EXPECT_EQ(read.events[0].text, "halted (\\x1b[2J\\u{202e})");
  EXPECT_EQ(read.events[0].weight, StoryEvent::Weight::kNotable);
}

}  // namespace
}  // namespace da::console
