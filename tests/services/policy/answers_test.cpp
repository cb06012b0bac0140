// Answers of people beyond yes and no, and their effects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "services/policy/second_factor/second_factor.h"
#include "tests/services/policy/policy_fixture.h"
#include "tests/services/policy/totp_codes.h"

namespace da::policy {
namespace {

using test::write;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct AnswersTest : test::PolicyFixture {
  std::future<Result<v1::SubmitReply>> start_another(v1::Action action) {
    return std::async(std::launch::async, [this, asked = request(std::move(action), "s" + std::to_string(++others_))] {
      return policy->submit(asked, {});
    });
  }
  v1::ApproveRequest approval(const std::string& id, const std::string& code = "") const {
    v1::ApproveRequest request;
    request.set_approval_id(id);
    request.set_approver("ada");
    request.set_code(code);
    return request;
  }
  v1::DenyRequest denial(const std::string& id, v1::DenyRequest::Then then) const {
    v1::DenyRequest request;
    request.set_approval_id(id);
    request.set_approver("ada");
    request.set_then(then);
    return request;
  }
  void enroll(const std::string& person) {
    SecondFactor factor(dir.path() / "second-factor", clock);
    ASSERT_TRUE(factor.enroll(person, *TotpSecret::from_base32(test::kTotpSecret), false));
  }
  std::string code() const { return test::totp_code(clock.wall_now()); }
  v1::Action remove_file() const {
    v1::Action action;
    action.mutable_file_delete()->set_path("/home/ada/x");
    return action;
  }

 private:
  int others_ = 100;
};

TEST_F(AnswersTest, TaskApprovalCoversOnlyTheSameStepAtTheSamePlace) {
  auto reply = start_submit(write("hi"));
  auto request = approval(pending_id());
  request.set_repeats_in_task(true);
  ASSERT_TRUE(policy->approve(request));
  EXPECT_EQ(reply.get()->outcome().kind(), O::KIND_DISPATCHED);
  EXPECT_TRUE(next<v1::ApprovalDecision>().repeats_in_task());

  const auto again = submit(write("hi"), "s2");
  EXPECT_EQ(again.outcome().kind(), O::KIND_DISPATCHED);
  EXPECT_THAT(again.verdict().reason(), HasSubstr("approved for this task by ada"));
  EXPECT_EQ(actuator.grants().back().approver(), "ada");

  auto other_text = start_another(write("ho"));
  ASSERT_TRUE(deny(pending_id(), ""));
  EXPECT_EQ(other_text.get()->verdict().decision(), V::DECISION_DENY);
  auto other = test::editor();
  *other.mutable_foreground() = test::window("Mail", "/usr/bin/mail", 9);
  actuator.set_world(other);
  auto elsewhere = start_another(write("hi"));
  ASSERT_TRUE(deny(pending_id(), ""));
  EXPECT_EQ(elsewhere.get()->verdict().decision(), V::DECISION_DENY);
}

TEST_F(AnswersTest, TaskApprovalDoesNotCoverAnotherTask) {
  auto reply = start_submit(write("hi"));
  auto request = approval(pending_id());
  request.set_repeats_in_task(true);
  ASSERT_TRUE(policy->approve(request));
  EXPECT_TRUE(reply.get());
  open({});
  auto asked = start_submit(write("hi"));
  ASSERT_TRUE(deny(pending_id(), ""));
  EXPECT_EQ(asked.get()->verdict().decision(), V::DECISION_DENY);
}

TEST_F(AnswersTest, ASkippedStepIsRefusedWithItsOwnCode) {
  auto reply = start_submit(write("hi"));
  ASSERT_TRUE(policy->deny(denial(pending_id(), v1::DenyRequest::THEN_SKIP)));
  const auto got = reply.get();
  EXPECT_EQ(got->verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(got->outcome().code(), O::CODE_SKIPPED);
  EXPECT_THAT(actuator.done(), IsEmpty());
  EXPECT_EQ(next<v1::ApprovalDecision>().answer(), v1::ApprovalDecision::ANSWER_SKIPPED);
}

TEST_F(AnswersTest, StoppedTaskLosesItsToken) {
  auto reply = start_submit(write("hi"));
  ASSERT_TRUE(policy->deny(denial(pending_id(), v1::DenyRequest::THEN_STOP_TASK)));
  EXPECT_EQ(reply.get()->outcome().code(), O::CODE_DENIED);
  EXPECT_EQ(policy->submit(request(write("more"), "s2"), {}).error().code, Code::kUnauthenticated);
}

TEST_F(AnswersTest, AnEditedStepIsJudgedAndAskedAboutAgain) {
  auto reply = start_submit(write("hi"));
  v1::EditRequest edit;
  edit.set_approval_id(pending_id());
  edit.set_approver("ada");
  *edit.mutable_action() = write("hello");
  ASSERT_TRUE(policy->edit(edit));
  EXPECT_EQ(next<v1::ApprovalDecision>().answer(), v1::ApprovalDecision::ANSWER_EDITED);
  const auto asked = next<v1::ApprovalRequest>();
  EXPECT_EQ(asked.step().action().write().text(), "hello");
  ASSERT_TRUE(approve(asked.approval_id()));
  EXPECT_EQ(reply.get()->outcome().kind(), O::KIND_DISPATCHED);
  EXPECT_THAT(actuator.done(), ElementsAre("write text=\"hello\""));
}

TEST_F(AnswersTest, AnEditThatRulesDenyIsDenied) {
  auto reply = start_submit(write("hi"));
  v1::EditRequest edit;
  edit.set_approval_id(pending_id());
  edit.set_approver("ada");
  edit.mutable_action()->mutable_mouse()->set_clicks(4000);
  EXPECT_EQ(policy->edit(edit).error().code, Code::kInvalidArgument) << "what no tool can do is refused at once";
  *edit.mutable_action() = write("a secret");
  ASSERT_TRUE(policy->edit(edit));
  const auto got = reply.get();
  EXPECT_EQ(got->verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(got->verdict().rule(), "no-secrets");
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(AnswersTest, AProposedRuleIsWrittenForReviewAndNotInForce) {
  auto reply = start_submit(write("hi \"there\"\n"));
  auto request = approval(pending_id());
  request.set_propose_rule(true);
  const auto answered = policy->approve(request);
  ASSERT_TRUE(answered);
  EXPECT_TRUE(reply.get());
  std::ifstream file(answered->proposed_rule_file());
  std::ostringstream text;
  text << file.rdbuf();
  const auto proposed = Rules::parse(text.str(), "proposed.toml");
  ASSERT_TRUE(proposed) << proposed.error().message << text.str();
  ASSERT_EQ(proposed->all().size(), 1u);
  const Judgement same = judge(*proposed, test::step(write("hi \"there\"\n")),
                               &*std::make_unique<v1::Evidence>(test::editor()), {.write_lock = WriteLockView::kOpen});
  EXPECT_EQ(same.decision, V::DECISION_ALLOW) << same.reason;
  const Judgement other = judge(*proposed, test::step(write("hi")), &*std::make_unique<v1::Evidence>(test::editor()),
                                {.write_lock = WriteLockView::kOpen});
  EXPECT_EQ(other.decision, V::DECISION_DENY);
  auto asked_again = start_another(write("hi \"there\"\n"));
  ASSERT_TRUE(deny(pending_id(), ""));
  EXPECT_EQ(asked_again.get()->verdict().decision(), V::DECISION_DENY);
}

TEST_F(AnswersTest, CriticalStepNeedsTheApproversCodeOnceAnybodyIsEnrolled) {
  enroll("ada");
  auto reply = start_submit(remove_file());
  const auto asked = next<v1::ApprovalRequest>();
  EXPECT_TRUE(asked.second_factor());
  EXPECT_EQ(policy->approve(approval(asked.approval_id())).error().code, Code::kInvalidArgument);
  EXPECT_EQ(policy->approve(approval(asked.approval_id(), "000000")).error().code, Code::kPermissionDenied);
  auto eve = approval(asked.approval_id(), code());
  eve.set_approver("eve");
  EXPECT_EQ(policy->approve(eve).error().code, Code::kFailedPrecondition) << "eve has no second factor";
  EXPECT_EQ(policy->list_pending()->pending_size(), 1);
  ASSERT_TRUE(policy->approve(approval(asked.approval_id(), code())));
  EXPECT_EQ(reply.get()->outcome().kind(), O::KIND_DISPATCHED);

  auto next_one = start_another(remove_file());
  const std::string id = pending_id();
  EXPECT_EQ(policy->approve(approval(id, code())).error().code, Code::kPermissionDenied) << "a code works once";
  ASSERT_TRUE(deny(id, ""));
  EXPECT_TRUE(next_one.get());
}

// A refused approval used up the code.
TEST_F(AnswersTest, RefusedTaskApprovalUsesUpNoCode) {
  enroll("ada");
  auto reply = start_submit(remove_file());
  auto for_task = approval(pending_id(), code());
  for_task.set_repeats_in_task(true);
  EXPECT_EQ(policy->approve(for_task).error().code, Code::kInvalidArgument);
  EXPECT_TRUE(policy->approve(approval(for_task.approval_id(), code())));
  static_cast<void>(deny(for_task.approval_id(), "where it was not approved"));
  EXPECT_EQ(reply.get()->outcome().kind(), O::KIND_DISPATCHED);
}

// While no file descriptor was free, nobody counted as enrolled, so no code was demanded.
TEST_F(AnswersTest, CriticalStepIsDeniedIfEnrollmentCannotBeRead) {
  std::ofstream(dir.path() / "second-factor") << "no directory";
  const auto reply = start_submit(remove_file()).get();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->verdict().decision(), V::DECISION_DENY);
  EXPECT_THAT(reply->verdict().reason(), HasSubstr("second factor"));
  EXPECT_EQ(policy->list_pending()->pending_size(), 0);
}

TEST_F(AnswersTest, CriticalStepNeedsACodeIfSomebodyEnrolledDuringTheQuestion) {
  auto reply = start_submit(remove_file());
  const auto asked = next<v1::ApprovalRequest>();
  EXPECT_FALSE(asked.second_factor());
  enroll("ada");
  EXPECT_EQ(policy->approve(approval(asked.approval_id())).error().code, Code::kInvalidArgument);
  ASSERT_TRUE(policy->approve(approval(asked.approval_id(), code())));
  const auto done = reply.get();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->outcome().code(), O::CODE_STALE_TARGET) << "it is asked again, as what needs a code";
  EXPECT_TRUE(actuator.grants().empty());
}

TEST_F(AnswersTest, ADenialNeedsNoCode) {
  enroll("ada");
  auto reply = start_submit(remove_file());
  ASSERT_TRUE(deny(pending_id(), "no"));
  EXPECT_EQ(reply.get()->verdict().decision(), V::DECISION_DENY);
}

TEST_F(AnswersTest, UncriticalStepNeedsNoCode) {
  enroll("ada");
  auto reply = start_submit(write("hi"));
  const auto asked = next<v1::ApprovalRequest>();
  EXPECT_FALSE(asked.second_factor());
  ASSERT_TRUE(approve(asked.approval_id()));
  EXPECT_EQ(reply.get()->outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(AnswersTest, TheQuestionShowsWhatIsApproved) {
  auto reply = start_submit(write("hi"));
  const auto asked = next<v1::ApprovalRequest>();
  EXPECT_EQ(asked.action_json(), R"({"args":{"text":"hi"},"tool":"write"})");
  EXPECT_EQ(asked.evidence().picture_png(), "picture");
  EXPECT_EQ(asked.approvals_needed(), 1u);
  ASSERT_TRUE(deny(asked.approval_id(), ""));
  EXPECT_TRUE(reply.get());
}

TEST_F(AnswersTest, ATaskMayUseOnlyTheToolsThatItWasOpenedWith) {
  v1::OpenTaskRequest request;
  request.set_unlock_writes(true);
  request.add_allowed_tools("wait_for");
  open(request);
  const auto reply = submit(write("hi"));
  EXPECT_EQ(reply.verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(reply.verdict().rule(), "task-tools");
}

TEST_F(AnswersTest, UnlockForOneStepAllowsOneWrite) {
  v1::UnlockRequest unlock;
  unlock.set_for_steps(1);
  unlock.set_by("ada");
  EXPECT_EQ(policy->unlock(unlock)->state().steps_left(), 1u);
  EXPECT_EQ(submit(write("one")).outcome().kind(), O::KIND_DISPATCHED);
  auto second = start_another(write("two"));
  ASSERT_TRUE(deny(pending_id(), ""));
  EXPECT_EQ(second.get()->verdict().rule(), "write-lock");
}

TEST_F(AnswersTest, StepOverALimitOfItsTaskIsDenied) {
  v1::OpenTaskRequest request;
  request.set_unlock_writes(true);
  request.mutable_limits()->set_steps(1);
  open(request);
  EXPECT_EQ(submit(write("one"), "s1").outcome().kind(), O::KIND_DISPATCHED);
  const auto second = submit(write("two"), "s2");
  EXPECT_EQ(second.verdict().rule(), "limits");
  EXPECT_EQ(second.outcome().code(), O::CODE_LIMIT);
  EXPECT_EQ(actuator.done().size(), 1u);
}

TEST_F(AnswersTest, AFloodIsRefusedAndFillsNeitherTheLogNorTheBus) {
  v1::OpenTaskRequest request_to_open;
  request_to_open.mutable_limits()->set_steps_per_second(5);
  open(request_to_open);
  const auto log_size = [&] { return std::filesystem::file_size(dir.path() / kAuditFile); };
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(submit(write("a secret"), "s" + std::to_string(i)).verdict().decision(), V::DECISION_DENY);
  const auto before = log_size();
  for (int i = 0; i < 2000; ++i) {
    const auto refused = submit(write("a secret"), "t" + std::to_string(i));
    ASSERT_EQ(refused.verdict().rule(), "limits");
    ASSERT_EQ(refused.outcome().code(), O::CODE_LIMIT);
  }
  EXPECT_EQ(log_size(), before);
}

}  // namespace
}  // namespace da::policy
