#include "services/policy/approval/approvals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

namespace da::policy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Decision = v1::ApprovalDecision;

std::vector<v1::ApprovalRequest> open_questions(const Approvals& approvals) {
  const v1::ListPendingReply page = *approvals.page("");
  return {page.pending().begin(), page.pending().end()};
}

struct ApprovalsTest : testing::Test {
  ManualClock clock;
  Approvals approvals{clock};
  std::stop_source stop;

  std::string ask(const std::string& task = "t", Milliseconds expiry = kDefaultApprovalExpiry) {
    v1::ApprovalRequest request;
    request.mutable_header()->set_task_id(task);
    return approvals.ask(std::move(request), expiry)->approval_id();
  }
  std::future<Answer> wait(const std::string& id) {
    return std::async(std::launch::async, [this, id] { return approvals.wait(id, stop.get_token()); });
  }
};

TEST_F(ApprovalsTest, AnApprovalEndsTheWait) {
  const auto id = ask();
  auto answer = wait(id);
  ASSERT_TRUE(approvals.approve(id, "ada", false));
  const Answer got = answer.get();
  EXPECT_EQ(got.kind, Decision::ANSWER_APPROVED);
  EXPECT_EQ(got.approver, "ada");
  EXPECT_TRUE(open_questions(approvals).empty());
}

TEST_F(ApprovalsTest, AnAnswerBeforeTheWaitIsNotLost) {
  const auto id = ask();
  ASSERT_TRUE(approvals.deny(id, "ada", "no", v1::DenyRequest::THEN_UNSPECIFIED));
  const Answer got = wait(id).get();
  EXPECT_EQ(got.kind, Decision::ANSWER_DENIED);
  EXPECT_EQ(got.reason, "no");
}

TEST_F(ApprovalsTest, ExpiresByTheClock) {
  const auto id = ask("t", Milliseconds(5000));
  auto answer = wait(id);
  clock.advance(Milliseconds(5000));
  approvals.wake();
  EXPECT_EQ(answer.get().kind, Decision::ANSWER_EXPIRED);
}

TEST_F(ApprovalsTest, ALateAnswerIsRefusedEvenBeforeTheWaiterNoticed) {
  const auto id = ask("t", Milliseconds(5000));
  clock.advance(Milliseconds(5000));
  EXPECT_TRUE(open_questions(approvals).empty());
  const auto late = approvals.approve(id, "ada", false);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::kFailedPrecondition);
  EXPECT_THAT(late.error().message, HasSubstr("expired"));
  EXPECT_EQ(wait(id).get().kind, Decision::ANSWER_EXPIRED);
}

TEST_F(ApprovalsTest, SecondAnswerGetsTheNameOfTheFirst) {
  const auto id = ask();
  ASSERT_TRUE(approvals.approve(id, "ada", false));
  for (int when = 0; when < 2; ++when) {
    const auto second = approvals.deny(id, "bob", "", v1::DenyRequest::THEN_UNSPECIFIED);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("was approved by ada"));
    if (when == 0) {
      EXPECT_EQ(wait(id).get().kind, Decision::ANSWER_APPROVED);
    }
  }
}

TEST_F(ApprovalsTest, UnknownIdsAndNamelessApproversAreRefused) {
  EXPECT_EQ(approvals.approve("nosuch", "ada", false).error().code, Code::kNotFound);
  const auto id = ask();
  EXPECT_EQ(approvals.approve(id, " ", false).error().code, Code::kInvalidArgument);
  EXPECT_TRUE(approvals.approve(" " + id + "\n", "ada", false));
}

TEST_F(ApprovalsTest, WithdrawingATaskEndsItsQuestionsAlone) {
  const auto one = ask("t1");
  const auto two = ask("t2");
  approvals.withdraw_task("t1", "the task ended");
  EXPECT_EQ(wait(one).get().kind, Decision::ANSWER_WITHDRAWN);
  ASSERT_EQ(open_questions(approvals).size(), 1u);
  EXPECT_EQ(open_questions(approvals)[0].approval_id(), two);
}

TEST_F(ApprovalsTest, AStoppedWaitWithdrawsItsQuestion) {
  const auto id = ask();
  auto answer = wait(id);
  stop.request_stop();
  EXPECT_EQ(answer.get().kind, Decision::ANSWER_WITHDRAWN);
  EXPECT_THAT(approvals.approve(id, "ada", false).error().message, HasSubstr("withdrawn"));
}

TEST_F(ApprovalsTest, ShuttingDownWakesEveryoneAndTakesNoMore) {
  auto answer = wait(ask());
  approvals.shut_down();
  EXPECT_EQ(answer.get().kind, Decision::ANSWER_WITHDRAWN);
  EXPECT_EQ(approvals.ask({}, Milliseconds(1)).error().code, Code::kUnavailable);
}

// The questions of one task filled the list, and the reply with the list became too large.
TEST_F(ApprovalsTest, OneTaskAsksFourQuestionsAtMost) {
  for (int i = 0; i < 4; ++i) ask("greedy");
  v1::ApprovalRequest request;
  request.mutable_header()->set_task_id("greedy");
  EXPECT_EQ(approvals.ask(request, Milliseconds(1000)).error().code, Code::kResourceExhausted);
  request.mutable_header()->set_task_id("other");
  EXPECT_TRUE(approvals.ask(request, Milliseconds(1000)));
}

TEST_F(ApprovalsTest, ListsTheOldestFirstAndBoundsTheirNumber) {
  std::vector<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.push_back(ask("t" + std::to_string(i)));
  const auto pending = open_questions(approvals);
  ASSERT_EQ(pending.size(), 100u);
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(pending[i].approval_id(), ids[i]);
  EXPECT_EQ(approvals.ask({}, Milliseconds(1)).error().code, Code::kResourceExhausted);
}

struct ApprovalPages : ApprovalsTest {
  // More than a third of a page each, so that three do not fit.
  static constexpr std::size_t kThird = kMaxQuestionBytes / 3;

  std::string ask_large(const std::string& task, std::size_t bytes = kThird) {
    v1::ApprovalRequest request;
    request.mutable_header()->set_task_id(task);
    request.mutable_evidence()->set_picture_png(std::string(bytes, 'x'));
    return approvals.ask(std::move(request), kDefaultApprovalExpiry)->approval_id();
  }
  // The ids of the page, and "+" if more follow.
  std::vector<std::string> page(const std::string& after) {
    std::vector<std::string> ids;
    const auto reply = approvals.page(after);
    for (const auto& request : reply->pending()) ids.push_back(request.approval_id());
    if (reply->more()) ids.emplace_back("+");
    return ids;
  }
};

// One reply with all questions exceeded the limit of a client.
TEST_F(ApprovalPages, FitIntoAMessageOldestFirst) {
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(ask_large("t" + std::to_string(i)));
  EXPECT_THAT(page(""), ElementsAre(ids[0], ids[1], "+"));
  EXPECT_THAT(page(ids[1]), ElementsAre(ids[2], ids[3], "+"));
  EXPECT_THAT(page(ids[3]), ElementsAre(ids[4]));
  EXPECT_THAT(page(ids[4]), IsEmpty());
}

TEST_F(ApprovalPages, HoldAtLeastOneQuestion) {
  const auto one = ask_large("t", kMaxQuestionBytes - 100);
  const auto two = ask_large("t", kMaxQuestionBytes - 100);
  EXPECT_THAT(page(""), ElementsAre(one, "+"));
  EXPECT_THAT(page(one), ElementsAre(two));
}

TEST_F(ApprovalPages, ContinueAfterAnAnsweredQuestion) {
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(ask_large("t"));
  ASSERT_TRUE(approvals.deny(ids[1], "ada", "no", v1::DenyRequest::THEN_UNSPECIFIED));
  EXPECT_THAT(page(ids[1]), ElementsAre(ids[2])) << "answered, and not waited for yet";
  wait(ids[1]).get();
  EXPECT_THAT(page(ids[1]), ElementsAre(ids[2]));
}

TEST_F(ApprovalPages, UnknownQuestionIsAnError) {
  ask();
  const auto reply = approvals.page("nobody\x1b");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kNotFound);
  EXPECT_THAT(reply.error().message, HasSubstr("nobody\\x1b"));
}

TEST_F(ApprovalPages, TooLargeQuestionIsNotAsked) {
  v1::ApprovalRequest request;
  request.mutable_header()->set_task_id("t");
  request.mutable_evidence()->mutable_foreground()->set_title(std::string(kMaxQuestionBytes, 'x'));
  EXPECT_EQ(approvals.ask(request, kDefaultApprovalExpiry).error().code, Code::kResourceExhausted);
  EXPECT_TRUE(open_questions(approvals).empty());
}

v1::ApprovalRequest critical_question(const std::string& opened_by) {
  v1::ApprovalRequest request;
  request.mutable_header()->set_task_id("t");
  request.set_risk(v1::RISK_CRITICAL);
  request.set_opened_by(opened_by);
  return request;
}

TEST(ApprovalsOfSeveral, TwoPeopleMustApproveACriticalStepAndOneMayDeny) {
  ManualClock clock;
  Approvals approvals(clock, {.people_for_critical = 2, .opener_may_answer = true});
  const auto asked = approvals.ask(critical_question("eve"), kDefaultApprovalExpiry);
  EXPECT_EQ(asked->approvals_needed(), 2u);
  const std::string id = asked->approval_id();
  EXPECT_EQ(*approvals.approve(id, "ada", false), 1u);
  EXPECT_EQ(open_questions(approvals).at(0).approved_by(0), "ada");
  EXPECT_EQ(approvals.approve(id, "ada", false).error().code, Code::kAlreadyExists);
  EXPECT_EQ(*approvals.approve(id, "bob", false), 0u);
  const Answer answer = approvals.wait(id, {});
  EXPECT_EQ(answer.kind, Decision::ANSWER_APPROVED);
  EXPECT_EQ(answer.approver, "ada, bob");

  const auto denied = approvals.ask(critical_question("eve"), kDefaultApprovalExpiry)->approval_id();
  ASSERT_TRUE(approvals.approve(denied, "ada", false));
  ASSERT_TRUE(approvals.deny(denied, "bob", "", v1::DenyRequest::THEN_UNSPECIFIED));
  EXPECT_EQ(approvals.wait(denied, {}).kind, Decision::ANSWER_DENIED);
}

TEST(ApprovalsOfSeveral, OpenerOfTheTaskCanBeExcludedFromApprovingAndEditing) {
  ManualClock clock;
  Approvals approvals(clock, {.people_for_critical = 1, .opener_may_answer = false});
  const auto id = approvals.ask(critical_question("eve"), kDefaultApprovalExpiry)->approval_id();
  EXPECT_EQ(approvals.approve(id, "eve", false).error().code, Code::kPermissionDenied);
  EXPECT_EQ(approvals.edit(id, "eve", v1::Action()).error().code, Code::kPermissionDenied);
  EXPECT_TRUE(approvals.deny(id, "eve", "", v1::DenyRequest::THEN_UNSPECIFIED));
}

TEST_F(ApprovalsTest, ACriticalStepIsNotApprovedForAWholeTask) {
  const auto id = approvals.ask(critical_question("eve"), kDefaultApprovalExpiry)->approval_id();
  EXPECT_EQ(approvals.approve(id, "ada", true).error().code, Code::kInvalidArgument);
  EXPECT_EQ(open_questions(approvals).size(), 1u) << "the question stays open";
}

TEST_F(ApprovalsTest, DenialSkipsTheStepOrStopsTheTask) {
  const auto skipped = ask();
  EXPECT_EQ(*approvals.deny(skipped, "ada", "", v1::DenyRequest::THEN_SKIP), "t");
  EXPECT_EQ(approvals.wait(skipped, {}).kind, Decision::ANSWER_SKIPPED);
  const auto stopped = ask();
  ASSERT_TRUE(approvals.deny(stopped, "ada", "", v1::DenyRequest::THEN_STOP_TASK));
  const Answer answer = approvals.wait(stopped, {});
  EXPECT_EQ(answer.kind, Decision::ANSWER_DENIED);
  EXPECT_TRUE(answer.stops_task);
}

}  // namespace
}  // namespace da::policy
