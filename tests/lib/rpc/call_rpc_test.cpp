#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "da/v1/service_rpc.grpc.pb.h"
#include "lib/rpc/call.h"
#include "lib/rpc/server.h"
#include "lib/rpc/tls.h"
#include "tests/addresses.h"
#include "tests/deployment.h"
#include "tests/temp_dir.h"

namespace da::rpc {
namespace {

using identity::Role;

// Answers at once, or hangs until it is released.
class TestService final : public v1::ServiceInfo::Service {
 public:
  grpc::Status Describe(grpc::ServerContext* context, const v1::DescribeRequest*,
                        v1::ServiceDescription* reply) override {
    if (error_) return to_status(*error_);
    if (hang_) {
      entered_.set_value();
      while (!context->IsCancelled()) std::this_thread::yield();
    }
    reply->set_service("test");
    return grpc::Status::OK;
  }
  bool hang_ = false;
  std::optional<Error> error_;
  std::promise<void> entered_;
};

class CallTest : public testing::Test {
 protected:
  void serve() { server_ = *Server::listen(address_, {&service_}, deployment_.of(Role::kPolicy)); }
  Result<v1::ServiceDescription> call(int timeout_ms, const std::stop_token& stop = {}) {
    return client_.call("Describe", &v1::ServiceInfo::Stub::Describe, v1::DescribeRequest(), Milliseconds(timeout_ms),
                        stop);
  }

  const da::test::Deployment deployment_;
  const da::test::TempDir directory_;
  const std::string address_ = da::test::rpc_address(directory_.path(), "server");
  TestService service_;
  std::unique_ptr<Server> server_;
  Client<v1::ServiceInfo> client_{Channel("da-test", address_, tls_to(Role::kPolicy, deployment_.of(Role::kConsole)))};
};

TEST_F(CallTest, ReturnsReply) {
  serve();
  EXPECT_EQ(call(5000)->service(), "test");
}

TEST_F(CallTest, ErrorKeepsCodeAndMessage) {
  serve();
  service_.error_ = Error{Code::kNotFound, "no such \x1b[31m window"};
  const auto reply = call(5000);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kNotFound);
  EXPECT_EQ(reply.error().message, "no such \\x1b[31m window");
}

TEST_F(CallTest, PeersOwnUnavailableAnswerIsNotReportedAsPeerGone) {
  serve();
  for (const Code code : {Code::kUnavailable, Code::kDeadlineExceeded, Code::kCancelled, Code::kUnimplemented}) {
    service_.error_ = Error{code, "nothing may happen: the disk is full"};
    const auto reply = call(5000);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, code);
    EXPECT_EQ(reply.error().message, "nothing may happen: the disk is full");
  }
}

TEST_F(CallTest, ErrorNamesDeadPeer) {
  const auto reply = call(3000);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnavailable);
  EXPECT_NE(reply.error().message.find("da-test cannot be reached"), std::string::npos);
}

TEST_F(CallTest, HangingPeerFailsAtDeadline) {
  serve();
  service_.hang_ = true;
  const auto before = system_clock().now();
  const auto reply = call(200);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kDeadlineExceeded);
  EXPECT_LT(system_clock().now() - before, Milliseconds(3000));
}

TEST_F(CallTest, ReconnectsToRestartedPeer) {
  serve();
  ASSERT_TRUE(call(5000));
  server_.reset();
  ASSERT_FALSE(call(1000));
  serve();
  Result<v1::ServiceDescription> reply = call(1000);
  for (int tries = 0; tries < 50 && !reply; ++tries) {
    std::promise<void>().get_future().wait_for(std::chrono::milliseconds(20));
    reply = call(1000);
  }
  EXPECT_TRUE(reply);
}

TEST_F(CallTest, CancelEndsRunningAndLaterCalls) {
  serve();
  service_.hang_ = true;
  std::stop_source stop;
  std::thread other([&] {
    service_.entered_.get_future().wait();
    stop.request_stop();
  });
  const auto reply = call(30'000, stop.get_token());
  other.join();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kCancelled);
  service_.hang_ = false;
  EXPECT_EQ(call(5000, stop.get_token()).error().code, Code::kCancelled);
}

}  // namespace
}  // namespace da::rpc
