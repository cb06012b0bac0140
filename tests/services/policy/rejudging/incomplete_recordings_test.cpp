// Recordings that lack facts, contradict themselves, or are forged.
#include "tests/services/policy/rejudging/rejudging_fixture.h"

namespace da::policy::test {
namespace {

using testing::HasSubstr;

struct IncompleteRecordingsTest : RejudgingFixture {};

TEST_F(IncompleteRecordingsTest, AJudgementThatItsRulesDoNotGiveIsNamed) {
  act(write("x"), "s1");
  const auto all = with_changed<v1::StepJudged>(
      facts_so_far(), [](v1::StepJudged& judged) { judged.set_decision(v1::Verdict::DECISION_DENY); });
  const auto proof = judge_again(all);
  EXPECT_EQ(proof.different, 1u);
  EXPECT_FALSE(proof.complete());
  EXPECT_THAT(proof.first_difference, HasSubstr("s1"));
  EXPECT_THAT(proof.first_difference, HasSubstr("recorded DECISION_DENY by work"));
}

TEST_F(IncompleteRecordingsTest, EachPartOfAJudgementIsCompared) {
  act(write("x"), "s1");
  const auto all = facts_so_far();
  using Judged = v1::StepJudged;
  EXPECT_EQ(judge_again(all).different, 0u);
  EXPECT_EQ(judge_again(with_changed<Judged>(all, [](Judged& each) { each.set_rule("play"); })).different, 1u);
  EXPECT_EQ(judge_again(with_changed<Judged>(all, [](Judged& each) { each.set_risk(v1::RISK_SAFE); })).different, 1u);
  EXPECT_EQ(judge_again(with_changed<Judged>(all, [](Judged& each) { each.set_second_factor(true); })).different, 1u);
}

TEST_F(IncompleteRecordingsTest, StepsOfATaskThatBeganBeforeTheRecordingAreLeftOutAndCounted) {
  act(write("x"), "s1");
  const auto proof = judge_again(without_facts<v1::TaskOpened>(facts_so_far()));
  EXPECT_EQ(proof.judgements, 1u);
  EXPECT_EQ(proof.without_task, 1u);
  EXPECT_FALSE(proof.complete());
  EXPECT_TRUE(steps.empty());
}

TEST_F(IncompleteRecordingsTest, LostFactsCountIfTheyAreNeeded) {
  act(write("x"), "s1");
  const auto all = facts_so_far();
  const auto lost = [&](const char* topic, std::uint64_t from, std::uint64_t to) {
    v1::RecordingGap gap;
    gap.set_topic(topic);
    gap.set_from(from);
    gap.set_to(to);
    return judge_again(record(all, {gap}), own).lost;
  };
  EXPECT_EQ(lost("policy.grant", 5, 7), 3u);
  EXPECT_EQ(lost("actuator.outcome", 5, 5), 1u);
  EXPECT_EQ(lost("observer.image", 5, 7), 0u);
  EXPECT_EQ(lost("policy.grant", 7, 5), 0u) << "a forged mark";
}

TEST_F(IncompleteRecordingsTest, AFactLargerThanAnyOfAPolicyIsDamage) {
  act(write("x"), "s1");
  const auto path = record(with_changed<v1::StepJudged>(facts_so_far(), [](v1::StepJudged& judged) {
    judged.mutable_step()->set_justification(std::string(5 << 20, 'x'));
  }));
  Rejudging rejudging(own, [this](const RejudgedStep& step) { steps.push_back(step); });
  const auto read = rejudging.read(**recording::RecordingReader::open(path));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kDataLoss);
  EXPECT_THAT(read.error().message, HasSubstr("policy.judged"));
}

// A recording of the bus may run for months.
TEST_F(IncompleteRecordingsTest, ClosedTasksAreForgottenFirst) {
  auto all = facts_so_far();
  const auto close = [this] {
    v1::CloseTaskRequest request;
    request.set_task_token(token);
    ASSERT_TRUE(policy->close_task(request));
  };
  const auto first_token = token;
  const auto first_task = task_id;
  for (int i = 0; i < 150; ++i) {
    open_unlocked();
    act(write("x"), "s1");
    close();
  }
  token = first_token;
  task_id = first_task;
  act(write("y"), "s1");
  std::ranges::move(facts_so_far(), std::back_inserter(all));
  const auto proof = judge_again(all);
  EXPECT_EQ(proof.judgements, 151u);
  EXPECT_TRUE(proof.complete()) << proof.first_difference << proof.without_task;
  EXPECT_EQ(steps.size(), 151u);
}

TEST_F(IncompleteRecordingsTest, StepsUnderABrokenRuleFileAreReproducedAndNotCompared) {
  act(write("x"), "s1");
  ASSERT_FALSE(policy->reload_rules());  // test.toml does not exist.
  EXPECT_EQ(act(write("y"), "s2").verdict().rule(), kUnreadRule);
  const auto proof = judge_again(facts_so_far());
  EXPECT_TRUE(proof.complete()) << proof.first_difference;
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_TRUE(steps[0].comparable);
  EXPECT_FALSE(steps[1].comparable);
}

}  // namespace
}  // namespace da::policy::test
