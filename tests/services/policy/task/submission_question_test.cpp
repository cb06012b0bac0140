// Steps about which a person is asked: the question, its answer, and what may change meanwhile.
#include "lib/contract/task_token.h"
#include "tests/services/policy/policy_fixture.h"

namespace da::policy {
namespace {

using test::write;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SubmissionQuestionTest : public test::PolicyFixture {};

TEST_F(SubmissionQuestionTest, AQuestionIsPublishedWithItsEvidenceAndAnApprovalActs) {
  auto reply = start_submit(write("hi"));
  const auto question = next<v1::ApprovalRequest>();
  EXPECT_EQ(question.rule(), "write-lock");
  EXPECT_EQ(question.evidence().foreground().title(), "Untitled - Mousepad");
  EXPECT_EQ(question.step().action().write().text(), "hi");
  EXPECT_EQ(question.header().task_id(), task_id);
  EXPECT_EQ(policy->list_pending()->pending_size(), 1);
  ASSERT_TRUE(approve(question.approval_id()));
  const auto got = reply.get();
  EXPECT_EQ(got->verdict().decision(), V::DECISION_ALLOW);
  EXPECT_THAT(got->verdict().reason(), HasSubstr("approved by ada"));
  EXPECT_EQ(got->outcome().kind(), O::KIND_DISPATCHED);
  EXPECT_EQ(actuator.prepared(), 3) << "to judge, to show a person, and after the approval";
  EXPECT_EQ(actuator.grants().at(0).approver(), "ada");
  EXPECT_EQ(next<v1::ApprovalDecision>().answer(), v1::ApprovalDecision::ANSWER_APPROVED);
  EXPECT_FALSE(approve(question.approval_id()));
}

TEST_F(SubmissionQuestionTest, ADenialCarriesThePersonsReason) {
  auto reply = start_submit(write("hi"));
  ASSERT_TRUE(deny(pending_id(), "not today"));
  const auto got = reply.get();
  EXPECT_EQ(got->verdict().decision(), V::DECISION_DENY);
  EXPECT_THAT(got->verdict().reason(), HasSubstr("denied by ada: not today"));
  EXPECT_EQ(got->outcome().code(), O::CODE_DENIED);
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(SubmissionQuestionTest, AQuestionThatNobodyAnswersExpires) {
  v1::OpenTaskRequest opening;
  opening.set_approval_expiry_ms(5000);
  open(opening);
  auto reply = start_submit(write("hi"));
  pending_id();
  clock.advance(Milliseconds(5000));
  policy->wake();
  const auto got = reply.get();
  EXPECT_EQ(got->verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(got->outcome().code(), O::CODE_EXPIRED);
  EXPECT_THAT(got->verdict().reason(), HasSubstr("5 s"));
  EXPECT_THAT(actuator.done(), IsEmpty());
}

// A question outlived its task's time limit, so the planner gave up first and did not know whether the step acted.
TEST_F(SubmissionQuestionTest, AQuestionExpiresWithTheTimeOfItsTask) {
  v1::OpenTaskRequest opening;
  opening.set_approval_expiry_ms(60'000);
  opening.mutable_limits()->set_time_s(20);
  open(opening);
  clock.advance(Milliseconds(13'000));
  auto reply = start_submit(write("hi"));
  pending_id();
  clock.advance(Milliseconds(7'000));
  policy->wake();
  const auto got = reply.get();
  EXPECT_EQ(got->outcome().code(), O::CODE_EXPIRED);
  EXPECT_THAT(got->verdict().reason(), HasSubstr("7 s"));
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(SubmissionQuestionTest, ChangeWhileAPersonReadsIsStale) {
  auto other = test::editor();
  *other.mutable_foreground() = test::window("Mail", "/usr/bin/mail", 9);
  actuator.while_a_person_reads([&] { actuator.set_world(other); });
  auto reply = start_submit(write("hi"));
  ASSERT_TRUE(approve(pending_id()));
  const auto got = reply.get();
  EXPECT_EQ(got->outcome().kind(), O::KIND_REFUSED);
  EXPECT_EQ(got->outcome().code(), O::CODE_STALE_TARGET);
  EXPECT_THAT(got->outcome().message(), HasSubstr("is now one of mail"));
  EXPECT_THAT(actuator.done(), IsEmpty());
}

// The evidence contains names that masks hide from the planner.
TEST_F(SubmissionQuestionTest, PlannerDoesNotGetTheNamesOfTheEvidence) {
  open_unlocked();
  const auto reply = submit(test::click(5, 5));
  EXPECT_EQ(reply.verdict().action_text(), "mouse x=5 y=5");
  EXPECT_THAT(next<v1::Verdict>().action_text(), HasSubstr("Document"));
}

TEST_F(SubmissionQuestionTest, TheRulesJudgeAgainAfterAnApproval) {
  auto bank = test::editor();
  bank.mutable_foreground()->set_title("My bank");
  actuator.while_a_person_reads([&] { actuator.set_world(bank); });
  auto reply = start_submit(write("hi"));
  ASSERT_TRUE(approve(pending_id()));
  const auto got = reply.get();
  EXPECT_EQ(got->verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(got->verdict().rule(), "bank");
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(SubmissionQuestionTest, ABlinkingCaretDoesNotSpoilAnApproval) {
  auto blinked = test::editor();
  blinked.set_target_pixels("caret on");
  actuator.while_a_person_reads([&] { actuator.set_world(blinked); });
  auto reply = start_submit(write("hi"));
  ASSERT_TRUE(approve(pending_id()));
  EXPECT_EQ(reply.get()->outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(SubmissionQuestionTest, ChangedPictureUnderAClickIsStale) {
  auto world = test::editor();
  world.clear_target_element();
  world.mutable_target_area()->set_width(48);
  world.mutable_target_area()->set_height(48);
  world.set_target_pixels(std::string(48 * 48, '\xff'));
  actuator.set_world(world);
  world.set_target_pixels(std::string(48 * 48, '\x80'));
  actuator.while_a_person_reads([&] { actuator.set_world(world); });
  auto reply = start_submit(test::click(1, 1));
  ASSERT_TRUE(approve(pending_id()));
  EXPECT_EQ(reply.get()->outcome().code(), O::CODE_STALE_TARGET);
  EXPECT_THAT(actuator.done(), IsEmpty());
}

}  // namespace
}  // namespace da::policy
