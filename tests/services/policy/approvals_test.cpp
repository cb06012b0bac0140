#include "services/policy/approvals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

namespace da::policy {
namespace {

using testing::HasSubstr;
using Kind = v1::ApprovalDecision;

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
  ASSERT_TRUE(approvals.approve(id, "ada"));
  const Answer got = answer.get();
  EXPECT_EQ(got.kind, Kind::ANSWER_APPROVED);
  EXPECT_EQ(got.approver, "ada");
  EXPECT_TRUE(approvals.pending().empty());
}

TEST_F(ApprovalsTest, AnAnswerBeforeTheWaitIsNotLost) {
  const auto id = ask();
  ASSERT_TRUE(approvals.deny(id, "ada", "no"));
  const Answer got = wait(id).get();
  EXPECT_EQ(got.kind, Kind::ANSWER_DENIED);
  EXPECT_EQ(got.reason, "no");
}

TEST_F(ApprovalsTest, ExpiresByTheClock) {
  const auto id = ask("t", Milliseconds(5000));
  auto answer = wait(id);
  clock.advance(Milliseconds(5000));
  approvals.wake();
  EXPECT_EQ(answer.get().kind, Kind::ANSWER_EXPIRED);
}

TEST_F(ApprovalsTest, ALateAnswerIsRefusedEvenBeforeTheWaiterNoticed) {
  const auto id = ask("t", Milliseconds(5000));
  clock.advance(Milliseconds(5000));
  EXPECT_TRUE(approvals.pending().empty());
  const auto late = approvals.approve(id, "ada");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::kFailedPrecondition);
  EXPECT_THAT(late.error().message, HasSubstr("expired"));
  EXPECT_EQ(wait(id).get().kind, Kind::ANSWER_EXPIRED);
}

TEST_F(ApprovalsTest, ASecondAnswerIsToldWhoWasFirst) {
  const auto id = ask();
  ASSERT_TRUE(approvals.approve(id, "ada"));
  for (int when = 0; when < 2; ++when) {
    const auto second = approvals.deny(id, "bob", "");
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("was approved by ada"));
    if (when == 0) {
      EXPECT_EQ(wait(id).get().kind, Kind::ANSWER_APPROVED);
    }
  }
}

TEST_F(ApprovalsTest, UnknownIdsAndNamelessApproversAreRefused) {
  EXPECT_EQ(approvals.approve("nosuch", "ada").error().code, Code::kNotFound);
  const auto id = ask();
  EXPECT_EQ(approvals.approve(id, " ").error().code, Code::kInvalidArgument);
  EXPECT_TRUE(approvals.approve(" " + id + "\n", "ada"));
}

TEST_F(ApprovalsTest, WithdrawingATaskEndsItsQuestionsAlone) {
  const auto one = ask("t1");
  const auto two = ask("t2");
  approvals.withdraw_task("t1", "the task ended");
  EXPECT_EQ(wait(one).get().kind, Kind::ANSWER_WITHDRAWN);
  ASSERT_EQ(approvals.pending().size(), 1u);
  EXPECT_EQ(approvals.pending()[0].approval_id(), two);
}

TEST_F(ApprovalsTest, AStoppedWaitWithdrawsItsQuestion) {
  const auto id = ask();
  auto answer = wait(id);
  stop.request_stop();
  EXPECT_EQ(answer.get().kind, Kind::ANSWER_WITHDRAWN);
  EXPECT_THAT(approvals.approve(id, "ada").error().message, HasSubstr("withdrawn"));
}

TEST_F(ApprovalsTest, ShuttingDownWakesEveryoneAndTakesNoMore) {
  auto answer = wait(ask());
  approvals.shut_down();
  EXPECT_EQ(answer.get().kind, Kind::ANSWER_WITHDRAWN);
  EXPECT_EQ(approvals.ask({}, Milliseconds(1)).error().code, Code::kUnavailable);
}

// One task's questions filled the list, and the reply that lists them became too large to be read.
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
  const auto pending = approvals.pending();
  ASSERT_EQ(pending.size(), 100u);
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(pending[i].approval_id(), ids[i]);
  EXPECT_EQ(approvals.ask({}, Milliseconds(1)).error().code, Code::kResourceExhausted);
}

}  // namespace
}  // namespace da::policy
