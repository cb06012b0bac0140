// Submit over a real socket: it waits for people without blocking other calls, and ends when its caller goes away.
#include "services/policy/policy_rpc.h"

#include <algorithm>
#include <set>

#include "lib/rpc/call.h"
#include "lib/rpc/server.h"
#include "lib/rpc/unary_stream.h"
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
  rpc::UnaryStreams<v1::Policy, v1::SubmitRequest, v1::SubmitReply> submit{
      rpc::Channel(Role::kPolicy, address, deployment.of(Role::kPlanner)), "Submit", &Stub::AsyncSubmit};

  std::vector<std::future<Result<v1::SubmitReply>>> submitted;  // These end when the policy shuts down.

  ~PolicyRpcTest() override {
    policy->shut_down();
    server.reset();
  }

  std::size_t pending_count() const {
    const auto properties = policy->properties();
    return std::stoul(
        std::ranges::find(properties, "pending approvals", [](const auto& p) { return p.first; })->second);
  }

  Result<v1::SubmitReply> call_submit(const std::string& step_id, const std::stop_token& stop = {}) {
    return submit.ask(request(write("hi"), step_id), kTimeout, stop);
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

v1::Evidence with_picture(std::size_t bytes) {
  v1::Evidence evidence = test::editor();
  evidence.set_picture_png(std::string(bytes, '\x89'));
  return evidence;
}

// The reply exceeded the size limit of a message, so nobody saw any of the questions.
TEST_F(PolicyRpcTest, ManyLargeQuestionsAreListedCompletely) {
  actuator.set_world(with_picture(200'000));
  for (int task = 0; task < 50; ++task) {
    open({});
    for (int i = 0; i < 4; ++i) submitted.push_back(start_submit(test::paste(std::string(100'000, 'a'))));
  }
  std::size_t refused = 0;
  std::size_t waiting = 0;
  while (refused + waiting < submitted.size()) {
    waiting = pending_count();
    refused = static_cast<std::size_t>(std::ranges::count_if(submitted, [](const auto& reply) {
      return reply.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;
    }));
  }
  std::set<std::string> ids;
  int pages = 0;
  v1::ListPendingRequest next;
  for (bool more = true; more; ++pages) {
    const auto page = client.call("ListPending", &Stub::ListPending, next, kTimeout);
    ASSERT_TRUE(page) << page.error().message;
    ASSERT_GT(page->pending_size(), 0);
    for (const auto& request : page->pending()) {
      EXPECT_EQ(request.step().action().paste().text().size(), 100'000u);
      EXPECT_EQ(request.evidence().picture_png().size(), 200'000u);
      ids.insert(request.approval_id());
    }
    next.set_after(page->pending().rbegin()->approval_id());
    ASSERT_TRUE(deny(next.after(), "read, and answered before the next page")) << "pages go on behind it";
    more = page->more();
  }
  EXPECT_EQ(ids.size(), waiting);
  EXPECT_EQ(waiting, 100u) << "as many as wait at once";
  EXPECT_GT(pages, 10);
}

// Each character is four bytes in UTF-8, and six in JSON.
TEST_F(PolicyRpcTest, TheLargestQuestionFitsIntoAMessage) {
  for (const std::string character : {"\U0001F600", "\x01"}) {
    actuator.set_world(with_picture(500'000));
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += character;
    auto reply = start_submit(test::paste(text));
    const auto asked = next<v1::ApprovalRequest>();
    const auto page = client.call("ListPending", &Stub::ListPending, v1::ListPendingRequest(), kTimeout);
    ASSERT_TRUE(page) << page.error().message;
    ASSERT_EQ(page->pending_size(), 1);
    EXPECT_EQ(page->pending(0).step().action().paste().text(), text);
    EXPECT_LT(page->pending(0).action_text().size(), 5000u) << "words for people are cut";
    EXPECT_GT(page->pending(0).action_json().size(), text.size()) << "the JSON is whole";
    ASSERT_TRUE(deny(asked.approval_id(), "seen"));
    EXPECT_TRUE(reply.get());
  }
}

TEST_F(PolicyRpcTest, ACancelledCallWithdrawsItsQuestion) {
  std::stop_source stop;
  auto reply = std::async(std::launch::async, [&] { return call_submit("s1", stop.get_token()); });
  const auto id = pending_id();
  stop.request_stop();
  EXPECT_EQ(reply.get().error().code, Code::kCancelled);
  EXPECT_EQ(next<v1::ApprovalDecision>().answer(), v1::ApprovalDecision::ANSWER_WITHDRAWN);
  EXPECT_FALSE(approve(id));
}

TEST_F(PolicyRpcTest, ShutdownEndsWaitingCalls) {
  auto reply = std::async(std::launch::async, [this] { return call_submit("s1"); });
  pending_id();
  policy->shut_down();
  EXPECT_EQ(reply.get()->outcome().code(), v1::Outcome::CODE_CANCELLED);
}

TEST_F(PolicyRpcTest, PlannerGetsTheNameOfAMissingActuator) {
  actuator.fail_prepare(Error{Code::kUnavailable, "da-actuator is not there"});
  const auto reply = call_submit("s1");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnavailable);
  EXPECT_THAT(reply.error().message, HasSubstr("da-actuator"));
}

TEST_F(PolicyRpcTest, EveryMethodAnswers) {
  const auto opened = client.call("OpenTask", &Stub::OpenTask, v1::OpenTaskRequest(), kTimeout);
  ASSERT_TRUE(opened);
  EXPECT_FALSE(opened->task_token().empty());
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
