// The console's client of the policy, over a real socket.
#include "services/console/session/clients_rpc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "da/v1/policy_rpc.grpc.pb.h"
#include "lib/rpc/server.h"
#include "tests/deployment.h"
#include "tests/temp_dir.h"

namespace da::console {
namespace {

using identity::Role;
using testing::ElementsAre;
using testing::HasSubstr;

// Lists `questions` approvals, "q1" the oldest, three per page.
class PagesOfThree final : public v1::Policy::Service {
 public:
  explicit PagesOfThree(int questions) : questions_(questions) {}
  void fail_after(std::string id) { fail_after_ = std::move(id); }
  void leave_pages_empty() { empty_ = true; }

  grpc::Status ListPending(grpc::ServerContext*, const v1::ListPendingRequest* request,
                           v1::ListPendingReply* reply) override {
    if (!fail_after_.empty() && request->after() == fail_after_) return {grpc::StatusCode::INTERNAL, "out of paper"};
    const int last = request->after().empty() ? 0 : std::stoi(request->after().substr(1));
    for (int i = last + 1; i <= std::min(last + 3, questions_) && !empty_; ++i) {
      reply->add_pending()->set_approval_id("q" + std::to_string(i));
    }
    reply->set_more(empty_ || last + 3 < questions_);
    return grpc::Status::OK;
  }

 private:
  const int questions_;
  std::string fail_after_;
  bool empty_ = false;
};

struct PolicyClientTest : testing::Test {
  const da::test::Deployment deployment;
  const da::test::TempDir dir;
  const std::string address = "unix:" + (dir.path() / "p.sock").string();
  PagesOfThree policy{7};
  std::unique_ptr<rpc::Server> server = *rpc::Server::listen(address, {&policy}, deployment.of(Role::kPolicy));
  const PolicyClient client{rpc::Channel(Role::kPolicy, address, deployment.of(Role::kConsole))};
};

// Bug: the console showed only the first message.
TEST_F(PolicyClientTest, ReadsAllPagesOfPendingApprovals) {
  const auto pending = client.pending();
  ASSERT_TRUE(pending) << pending.error().message;
  std::vector<std::string> ids;
  for (const auto& request : pending->pending()) ids.push_back(request.approval_id());
  EXPECT_THAT(ids, ElementsAre("q1", "q2", "q3", "q4", "q5", "q6", "q7"));
}

TEST_F(PolicyClientTest, APageThatFailsIsAnErrorAndNotAShorterList) {
  policy.fail_after("q3");
  const auto pending = client.pending();
  ASSERT_FALSE(pending);
  EXPECT_THAT(pending.error().message, HasSubstr("out of paper"));
}

TEST_F(PolicyClientTest, EmptyPageThatAnnouncesMoreIsAnError) {
  policy.leave_pages_empty();
  EXPECT_EQ(client.pending().error().code, Code::kInternal);
}

}  // namespace
}  // namespace da::console
