#include "lib/rpc/unary_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/rpc/server.h"
#include "lib/rpc/tls.h"
#include "tests/addresses.h"
#include "tests/deployment.h"
#include "tests/temp_dir.h"

namespace da::rpc {
namespace {

using identity::Role;
using testing::HasSubstr;

constexpr Milliseconds kTimeout{10'000};

// Returns the step id as the challenge, or does what the step id says.
class Echo final : public v1::Actuator::Service {
 public:
  explicit Echo(const identity::KnownPeers& peers) : peers_(peers) {}

  grpc::Status Act(grpc::ServerContext* context, Listener<v1::ActRequest, v1::ActReply>* caller) override {
    ++streams_;
    const auto answer = [&](const v1::ActRequest& request) -> Result<v1::ActReply> {
      const std::string& step_id = request.prepare().step_id();
      if (step_id == "count") return reply_with(std::to_string(calls_.use_count() - 1));
      if (step_id == "fail") return Error{Code::kNotFound, "no such \x1b[31m window"};
      if (step_id == "hang") {
        ++hanging_;
        hanging_.notify_all();
        while (!context->IsCancelled()) std::this_thread::yield();
      }
      return reply_with(step_id);
    };
    return serve_unary_stream(peers_, *caller, answer, [this] { return calls_; });
  }
  static v1::ActReply reply_with(const std::string& text) {
    v1::ActReply reply;
    reply.set_evidence(text);
    return reply;
  }
  void await_hanging(int count) {
    for (int now = hanging_; now < count; now = hanging_) hanging_.wait(now);
  }
  const identity::KnownPeers& peers_;
  std::atomic<int> streams_ = 0;
  std::atomic<int> hanging_ = 0;
  const std::shared_ptr<int> calls_ = std::make_shared<int>();  // Each unanswered request holds it.
};

class UnaryStreamTest : public testing::Test {
 protected:
  UnaryStreamTest() { serve(); }

  void serve() { server_ = *Server::listen(address_, {&service_}, deployment_.of(Role::kActuator)); }
  Result<std::string> ask(const std::string& step_id, Milliseconds timeout = kTimeout,
                          const std::stop_token& stop = {}) {
    v1::ActRequest request;
    request.mutable_prepare()->set_step_id(step_id);
    ASSIGN_OR_RETURN(const auto reply, act_.ask(request, timeout, stop));
    return reply.evidence();
  }

  const da::test::Deployment deployment_;
  const da::test::TempDir dir_;
  const std::string address_ = da::test::rpc_address(dir_.path(), "s");
  Echo service_{deployment_.known()};
  std::unique_ptr<Server> server_;
  UnaryStreams<v1::Actuator, v1::ActRequest, v1::ActReply> act_{
      Channel("da-test", address_, tls_to(Role::kActuator, deployment_.of(Role::kPolicy))), "Act",
      &v1::Actuator::Stub::AsyncAct};
};

TEST_F(UnaryStreamTest, EachRequestIsHeldUntilItIsAnswered) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*ask("count"), "1");
  EXPECT_FALSE(ask("fail"));
  EXPECT_EQ(*ask("count"), "1");
}

TEST_F(UnaryStreamTest, MalformedRequestIsAnErrorAndEndOfStreamIsNot) {
  const Channel channel("da-test", address_, tls_to(Role::kActuator, deployment_.of(Role::kPolicy)));
  // Truncated fields: alone, after an unknown field, and after a part of the request.
  for (const std::string garbage : {"\xff\xff", "\x52\x01x\x0a\x05x", "\x0a\x02\x12\x05"}) {
    grpc::ClientContext context;
    const grpc::internal::RpcMethod method("/da.v1.Actuator/Act", grpc::internal::RpcMethod::BIDI_STREAMING);
    const std::unique_ptr<grpc::ClientReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>> stream(
        grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, grpc::ByteBuffer>::Create(channel.grpc().get(),
                                                                                              method, &context));
    const grpc::Slice slice(garbage);
    stream->Write(grpc::ByteBuffer(&slice, 1));
    stream->WritesDone();
    EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
  const auto stub = v1::Actuator::NewStub(channel.grpc());
  grpc::ClientContext context;
  const auto stream = stub->Act(&context);
  v1::ActReply reply;
  EXPECT_TRUE(stream->Write(v1::ActRequest()) && stream->Read(&reply));
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

// The unreadable peers file may revoke the caller.
TEST_F(UnaryStreamTest, RequestsAreRefusedWhilePeersFileIsUnreadable) {
  ASSERT_TRUE(ask("before"));
  deployment_.known().set_unread("too many open files");
  const auto refused = ask("meanwhile");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("too many open files"));
  ASSERT_TRUE(deployment_.known().replace(deployment_.list()));
  EXPECT_TRUE(ask("afterwards"));
}

TEST_F(UnaryStreamTest, SequentialRequestsShareOneStream) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(*ask(std::to_string(i)), std::to_string(i));
  EXPECT_EQ(service_.streams_, 1);
}

TEST_F(UnaryStreamTest, ConcurrentRequestsGetTheirOwnReplies) {
  std::vector<std::future<bool>> all;
  for (int i = 0; i < 16; ++i) {
    all.push_back(std::async(std::launch::async, [this, i] {
      for (int j = 0; j < 50; ++j) {
        const std::string id = std::to_string(i) + "." + std::to_string(j);
        const auto reply = ask(id);
        if (!reply || *reply != id) return false;
      }
      return true;
    }));
  }
  for (auto& one : all) EXPECT_TRUE(one.get());
}

TEST_F(UnaryStreamTest, ErrorKeepsCodeAndNextRequestSucceeds) {
  ask("first").value();
  const auto failed = ask("fail");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Code::kNotFound);
  EXPECT_EQ(failed.error().message, "no such \\x1b[31m window");
  EXPECT_EQ(*ask("next"), "next");
}

TEST_F(UnaryStreamTest, HangingPeerFailsAtDeadlineAndIsCancelled) {
  ask("first").value();
  const auto reply = ask("hang", Milliseconds(100));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kDeadlineExceeded);
  EXPECT_THAT(reply.error().message, HasSubstr("da-test did not answer Act in time"));
  EXPECT_EQ(*ask("next"), "next");
}

TEST_F(UnaryStreamTest, CancelsBeforeAndDuringRequest) {
  std::stop_source stop;
  auto reply = std::async(std::launch::async, [&] { return ask("hang", kTimeout, stop.get_token()); });
  service_.await_hanging(1);
  stop.request_stop();
  EXPECT_EQ(reply.get().error().code, Code::kCancelled);
  EXPECT_EQ(ask("x", kTimeout, stop.get_token()).error().code, Code::kCancelled);
  EXPECT_EQ(*ask("next"), "next");
}

TEST_F(UnaryStreamTest, RestartedPeerGetsNewStream) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(ask("before"));
    // The destroyed server closes its connections a moment later: a request in between must fail, and later ones
    // succeed.
    server_.reset();
    EXPECT_EQ(ask("between").error().code, Code::kUnavailable);
    serve();
    const auto reply = ask("after");
    ASSERT_TRUE(reply) << i << ": " << reply.error().message;
  }
  EXPECT_EQ(service_.streams_, 21);
}

TEST_F(UnaryStreamTest, ErrorNamesMissingPeer) {
  ask("first").value();
  server_.reset();
  const auto reply = ask("x");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnavailable);
  EXPECT_THAT(reply.error().message, HasSubstr("da-test cannot be reached"));
}

TEST_F(UnaryStreamTest, ServerStopsWithOpenStream) {
  ask("first").value();
  const MonoTime before = system_clock().now();
  server_.reset();
  EXPECT_LT(system_clock().now() - before, Milliseconds(2000));
}

}  // namespace
}  // namespace da::rpc
