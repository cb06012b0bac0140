#include "services/policy/rejudging/rejudging.h"

#include <fstream>

#include "tests/services/policy/rejudging/rejudging_fixture.h"

namespace da::policy::test {
namespace {

using RejudgingTest = RejudgingFixture;

// The manual clock gives them all the same time.
std::vector<RecordedFact> published_one_after_another(std::vector<RecordedFact> all) {
  std::int64_t now_ns = 0;
  for (RecordedFact& fact : all) {
    fact.header.set_monotonic_ns(++now_ns);
    const std::unique_ptr<google::protobuf::Message> message(
        google::protobuf::MessageFactory::generated_factory()->GetPrototype(fact.type)->New());
    EXPECT_TRUE(message->ParseFromString(fact.payload));
    const auto* field = fact.type->FindFieldByNumber(1);
    message->GetReflection()->MutableMessage(message.get(), field)->CopyFrom(fact.header);
    fact.payload = message->SerializeAsString();
  }
  return all;
}

TEST_F(RejudgingTest, TextTypedInPiecesIsJudgedAsOne) {
  act(write("sec"), "s1");
  ASSERT_EQ(act(write("ret"), "s2").verdict().rule(), "no-secrets");
  const auto all = facts_so_far();
  const auto proof = judge_again(all);
  EXPECT_EQ(proof.judgements, 2u);
  EXPECT_TRUE(proof.complete()) << proof.first_difference;
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[1].now.judgement.rule, "no-secrets");
  // Without the grants the first text was never typed, and the proof fails.
  EXPECT_EQ(judge_again(without_facts<v1::GrantIssued>(all)).different, 1u);
}

TEST_F(RejudgingTest, ARefusedStepHasTypedNothing) {
  actuator.after_next_prepare([this] {
    v1::Evidence world = editor();
    *world.mutable_focused_element() = element("text", "Search");
    actuator.set_world(world);
  });
  const auto refused = submit(write("sec"), "s1");
  ASSERT_EQ(refused.outcome().kind(), O::KIND_REFUSED);
  auto all = facts_so_far();
  const auto grant = std::ranges::find(all, v1::GrantIssued::descriptor(), &RecordedFact::type);
  ASSERT_NE(grant, all.end());
  v1::GrantIssued granted;
  ASSERT_TRUE(granted.ParseFromString(grant->payload));
  publish_outcome(refused.outcome(), granted.claims());
  actuator.set_world(editor());
  ASSERT_EQ(act(write("ret"), "s2").verdict().rule(), "work");
  std::ranges::move(facts_so_far(), std::back_inserter(all));
  const auto proof = judge_again(all);
  EXPECT_TRUE(proof.complete()) << proof.first_difference;
  EXPECT_EQ(judge_again(without_facts<v1::Outcome>(all)).different, 1u);
}

// Regression: of the outcomes of a recording only the last 4,096 were known, so earlier refused steps counted as typed.
TEST_F(RejudgingTest, OutcomesOfALongRecordingAreAllKnown) {
  auto all = facts_so_far();
  std::int64_t now_ns = 1;
  const auto add = [&](auto fact, const char* writer, const std::string& cause) {
    auto& header = *fact.mutable_header();
    header.set_task_id(task_id);
    header.set_writer(writer);
    header.set_instance(writer);
    header.set_cause(cause);
    header.set_monotonic_ns(++now_ns);
    all.push_back({std::remove_cvref_t<decltype(fact)>::descriptor(), header, fact.SerializeAsString()});
  };
  const auto judged = [&](const std::string& id, const std::string& text) {
    v1::StepJudged fact;
    *fact.mutable_step() = step(write(text), id);
    *fact.mutable_evidence() = editor();
    fact.set_rules_version(own.version());
    fact.set_write_lock_open(true);
    fact.set_decision(v1::Verdict::DECISION_ALLOW);
    fact.set_rule("work");
    fact.set_risk(v1::RISK_WRITE);
    add(fact, "policy", id);
    v1::Verdict verdict;
    verdict.set_step_id(id);
    verdict.set_decision(v1::Verdict::DECISION_ALLOW);
    add(verdict, "policy", id);
  };
  for (int i = 0; i < 5'000; ++i) {
    const std::string id = "s" + std::to_string(i);
    judged(id, i == 0 ? "sec" : "ret");
    v1::GrantIssued grant;
    grant.mutable_claims()->set_grant_id("g" + id);
    grant.mutable_claims()->set_step_id(id);
    add(grant, "policy", id);
    v1::Outcome outcome;
    outcome.set_grant_id("g" + id);
    outcome.set_step_id(id);
    outcome.set_kind(v1::Outcome::KIND_REFUSED);
    add(outcome, "actuator", id);
  }
  const auto proof = judge_again(all);
  EXPECT_EQ(proof.judgements, 5'000u);
  EXPECT_TRUE(proof.complete()) << proof.different << ": " << proof.first_difference;
}

TEST_F(RejudgingTest, RepetitionsAreCountedWithinTheirTime) {
  for (const char* id : {"s1", "s2"}) act(write("drum"), id);
  ASSERT_EQ(act(write(" drum"), "s3").verdict().rule(), "no-drumming");
  clock.advance(std::chrono::seconds(11));
  ASSERT_EQ(act(write("drum"), "s4").verdict().rule(), "work");
  const auto proof = judge_again(facts_so_far());
  EXPECT_EQ(proof.judgements, 4u);
  EXPECT_TRUE(proof.complete()) << proof.first_difference;
}

TEST_F(RejudgingTest, ADryRunCountsNoRepetition) {
  for (const char* id : {"s1", "s2", "s3"}) {
    auto asked = request(write("drum"), id);
    asked.set_dry_run(true);
    ASSERT_TRUE(policy->submit(asked, {}));
  }
  ASSERT_EQ(act(write("drum"), "s4").verdict().rule(), "work");
  const auto proof = judge_again(facts_so_far());
  EXPECT_TRUE(proof.complete()) << proof.first_difference;
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_TRUE(steps[0].dry_run);
  EXPECT_FALSE(steps[3].dry_run);
}

TEST_F(RejudgingTest, AStepThatIsSubmittedAgainCountsAgain) {
  for (int i = 0; i < 3; ++i) act(write("secret drum"), "s1");
  const auto proof = judge_again(facts_so_far());
  EXPECT_TRUE(proof.complete()) << proof.first_difference;
  EXPECT_EQ(steps.size(), 3u);
}

TEST_F(RejudgingTest, AnEditedStepIsReportedAsSubmittedAndAsEdited) {
  auto pending = start_submit(write("please"));
  v1::EditRequest edit;
  edit.set_approval_id(pending_id());
  edit.set_approver("ada");
  *edit.mutable_action() = write("thanks");
  ASSERT_TRUE(policy->edit(edit));
  ASSERT_EQ(pending.get()->verdict().decision(), V::DECISION_ALLOW);
  const auto all = facts_so_far();
  EXPECT_TRUE(judge_again(all).complete());
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].recorded.judgement.decision, V::DECISION_ASK);
  EXPECT_TRUE(steps[0].recorded.question);
  EXPECT_FALSE(steps[0].edited);
  EXPECT_TRUE(steps[1].edited);
  EXPECT_EQ(steps[1].recorded.judgement.decision, V::DECISION_ALLOW);
  judge_again(record(all), without("ask-about-this"));
  EXPECT_FALSE(steps[0].now.question);
  EXPECT_EQ(steps[0].now.judgement.decision, V::DECISION_ALLOW);
}

TEST_F(RejudgingTest, AnApprovedStepIsOneStepAndOneQuestion) {
  auto pending = start_submit(write("please"));
  ASSERT_TRUE(approve(pending_id()));
  ASSERT_EQ(pending.get()->verdict().decision(), V::DECISION_ALLOW);
  const auto proof = judge_again(facts_so_far());
  EXPECT_EQ(proof.judgements, 3u);
  EXPECT_TRUE(proof.complete()) << proof.first_difference;
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_TRUE(steps[0].recorded.question);
  EXPECT_TRUE(steps[0].now.question);
}

TEST_F(RejudgingTest, AStepUnderAStandingApprovalIsNoQuestion) {
  policy->lock({});
  auto pending = start_submit(write("x"));
  v1::ApproveRequest approval;
  approval.set_approval_id(pending_id());
  approval.set_approver("ada");
  approval.set_repeats_in_task(true);
  ASSERT_TRUE(policy->approve(approval));
  ASSERT_EQ(pending.get()->outcome().kind(), O::KIND_DISPATCHED);
  ASSERT_EQ(act(write("x"), "s2").outcome().kind(), O::KIND_DISPATCHED);
  const auto proof = judge_again(facts_so_far());
  EXPECT_TRUE(proof.complete()) << proof.first_difference;
  ASSERT_EQ(steps.size(), 2u);
  for (const bool first : {true, false}) {
    const RejudgedStep& step = steps[first ? 0 : 1];
    EXPECT_EQ(step.recorded.judgement.rule, "write-lock");
    EXPECT_EQ(step.recorded.question, first);
    EXPECT_EQ(step.now.question, first);
  }
}

TEST_F(RejudgingTest, AWithdrawnQuestionIsReportedOnce) {
  auto pending = start_submit(write("please"));
  pending_id();
  ASSERT_TRUE(halt());
  static_cast<void>(pending.get());
  EXPECT_TRUE(judge_again(facts_so_far()).complete());
  ASSERT_EQ(steps.size(), 1u);
}

TEST_F(RejudgingTest, FactsThatTheRecorderFetchedLateAreJudgedInTheirOrder) {
  act(write("sec"), "s1");
  ASSERT_EQ(act(write("ret"), "s2").verdict().rule(), "no-secrets");
  act(write("x"), "s3");
  auto all = published_one_after_another(facts_so_far());
  std::ranges::stable_sort(all, {}, [](const RecordedFact& fact) { return fact.type->full_name(); });
  ASSERT_EQ(all.front().type, v1::GrantIssued::descriptor());
  const auto proof = judge_again(all);
  EXPECT_EQ(proof.judgements, 3u);
  EXPECT_TRUE(proof.complete()) << proof.first_difference;
  EXPECT_EQ(steps.size(), 3u);
}

// Regression: a step that was judged by a changed rule file before its publication was not reproduced.
TEST_F(RejudgingTest, ARuleFileMayBePublishedAfterItsFirstJudgement) {
  act(write("x"), "s1");
  auto all = facts_so_far();
  std::ranges::stable_partition(all, [](const RecordedFact& fact) { return fact.type != v1::RuleFile::descriptor(); });
  const auto proof = judge_again(published_one_after_another(std::move(all)));
  EXPECT_EQ(proof.judgements, 1u);
  EXPECT_EQ(proof.without_rules, 0u);
}

TEST_F(RejudgingTest, AMissingRuleFileIsNoProof) {
  act(write("x"), "s1");
  const auto proof = judge_again(without_facts<v1::RuleFile>(facts_so_far()));
  EXPECT_EQ(proof.without_rules, 1u);
  EXPECT_FALSE(proof.complete());
}

// Regression: a recording with a damaged end was not judged at all.
TEST_F(RejudgingTest, StepsBeforeADamageAreJudged) {
  const auto path = dir.path() / "damaged.mcap";
  const auto file = recording::RecordingFile::create(path, {{"task", task_id}}).value();
  act(write("x"), "s1");
  for (const RecordedFact& fact : facts_so_far()) ASSERT_TRUE(file->add(fact, clock.wall_now()));
  ASSERT_TRUE(file->sync());
  const auto intact = file->bytes_written();
  act(write("y"), "s2");
  for (const RecordedFact& fact : facts_so_far()) ASSERT_TRUE(file->add(fact, clock.wall_now()));
  ASSERT_TRUE(file->finish({}));
  std::fstream bytes(path, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(static_cast<std::streamoff>(intact) + 100);
  bytes.write("damage", 6);
  bytes.close();
  Rejudging rejudging(own, [this](const RejudgedStep& step) { steps.push_back(step); });
  const auto read = rejudging.read(**recording::RecordingReader::open(path));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kDataLoss);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].step_id, "s1");
}

}  // namespace
}  // namespace da::policy::test
