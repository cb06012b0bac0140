// Submit over a real socket: it waits for people without keeping others waiting, and ends with its caller.
#include "services/policy/policy_rpc.h"

#include "lib/rpc/call.h"
#include "lib/rpc/conversation.h"
#include "lib/rpc/server.h"
#include "tests/deployment.h"
#include "tests/services/policy/policy_fixture.h"

namespace da::policy {
namespace {

using identity::Role;
using test::write;
using testing::HasSubstr;
using Stub = v1::Policy::Stub;

constexpr Milliseconds kTimeout{10'000};

struct PolicyRpcTest : test::PolicyFixture {
  const da::test::Deployment deployment;
  PolicyRpc rpc{*policy, deployment.known()};
  const std::string address = "unix:" + (dir.path() / "p.sock").string();
  std::unique_ptr<rpc::Server> server = *rpc::Server::listen(address, {&rpc}, deployment.of(Role::kPolicy));
  rpc::Client<v1::Policy> client{rpc::Channel(Role::kPolicy, address, deployment.of(Role::kConsole))};
  rpc::Conversations<v1::Policy, v1::SubmitRequest, v1::SubmitReply> submit{
      rpc::Channel(Role::kPolicy, address, deployment.of(Role::kPlanner)), "Submit", &Stub::AsyncSubmit};

  ~PolicyRpcTest() override {
    policy->shut_down();
    server.reset();
  }

  Result<v1::SubmitReply> call_submit(const std::string& step_id, rpc::Canceller* canceller = nullptr) {
    return submit.ask(request(write("hi"), step_id), kTimeout, canceller);
  }
};

TEST_F(PolicyRpcTest, AStepIsSubmittedApprovedAndActs) {
  auto reply = std::async(std::launch::async, [this] { return call_submit("s1"); });
  v1::ApproveRequest answer;
  answer.set_approval_id(pending_id());
  answer.set_approver("ada");
  ASSERT_TRUE(client.call("Approve", &Stub::Approve, answer, kTimeout));
  EXPECT_EQ(reply.get()->outcome().kind(), v1::Outcome::KIND_DISPATCHED);
}

TEST_F(PolicyRpcTest, ManyQuestionsWaitAndTheRestIsStillAnswered) {
  std::vector<std::future<Result<v1::SubmitReply>>> replies;
  for (int i = 0; i < 4; ++i) {
    replies.push_back(std::async(std::launch::async, [this, i] { return call_submit("s" + std::to_string(i)); }));
  }
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(pending_id());
  const auto pending = client.call("ListPending", &Stub::ListPending, v1::ListPendingRequest(), kTimeout);
  ASSERT_TRUE(pending) << pending.error().message;
  EXPECT_EQ(pending->pending_size(), 4);
  for (const auto& id : ids) ASSERT_TRUE(approve(id));
  for (auto& reply : replies) EXPECT_EQ(reply.get()->outcome().kind(), v1::Outcome::KIND_DISPATCHED);
}

TEST_F(PolicyRpcTest, ACancelledCallWithdrawsItsQuestion) {
  rpc::Canceller canceller;
  auto reply = std::async(std::launch::async, [&] { return call_submit("s1", &canceller); });
  const auto id = pending_id();
  canceller.cancel();
  EXPECT_EQ(reply.get().error().code, Code::kCancelled);
  EXPECT_EQ(next<v1::ApprovalDecision>().answer(), v1::ApprovalDecision::ANSWER_WITHDRAWN);
  EXPECT_FALSE(approve(id));
}

TEST_F(PolicyRpcTest, StoppingTheServiceEndsWhatWaits) {
  auto reply = std::async(std::launch::async, [this] { return call_submit("s1"); });
  pending_id();
  policy->shut_down();
  EXPECT_EQ(reply.get()->outcome().code(), v1::Outcome::CODE_CANCELLED);
}

TEST_F(PolicyRpcTest, AMissingActuatorKeepsItsNameOnTheWayToThePlanner) {
  actuator.fail_prepare(Error{Code::kUnavailable, "da-actuator is not there"});
  const auto reply = call_submit("s1");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnavailable);
  EXPECT_THAT(reply.error().message, HasSubstr("da-actuator"));
}

TEST_F(PolicyRpcTest, EveryMethodAnswers) {
  const auto opened = client.call("OpenTask", &Stub::OpenTask, v1::OpenTaskRequest(), kTimeout);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->task_token().size(), 64u);
  v1::CloseTaskRequest close;
  close.set_task_token(opened->task_token());
  EXPECT_TRUE(client.call("CloseTask", &Stub::CloseTask, close, kTimeout));
  EXPECT_EQ(client.call("CloseTask", &Stub::CloseTask, close, kTimeout).error().code, Code::kUnauthenticated);
  EXPECT_TRUE(client.call("Unlock", &Stub::Unlock, v1::UnlockRequest(), kTimeout)->state().open());
  EXPECT_FALSE(client.call("Lock", &Stub::Lock, v1::LockRequest(), kTimeout)->state().open());
  EXPECT_EQ(client.call("Halt", &Stub::Halt, v1::HaltRequest(), kTimeout)->actuator(), "halted");
  EXPECT_TRUE(client.call("Resume", &Stub::Resume, v1::ResumeRequest(), kTimeout));
  EXPECT_EQ(client.call("Deny", &Stub::Deny, v1::DenyRequest(), kTimeout).error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace da::policy
