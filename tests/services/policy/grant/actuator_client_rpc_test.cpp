#include "services/policy/grant/actuator_client_rpc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/rpc/server.h"
#include "lib/rpc/unary_stream.h"
#include "tests/deployment.h"
#include "tests/temp_dir.h"

namespace da::policy {
namespace {

using identity::Role;
using testing::HasSubstr;

constexpr Milliseconds kCallTimeout{10'000};

// Answers Prepare at once; Execute returns when its caller goes away.
class Service final : public v1::Actuator::Service {
 public:
  grpc::Status Act(grpc::ServerContext*, rpc::Listener<v1::ActRequest, v1::ActReply>* caller) override {
    return rpc::serve_unary_stream(peers_, *caller, [this](const v1::ActRequest& request) -> Result<v1::ActReply> {
      v1::ActReply reply;
      if (request.has_prepare()) {
        if (request.prepare().step_id() != "mixed up") {
          v1::Evidence evidence;
          evidence.set_challenge(request.prepare().step_id());
          reply.set_evidence(evidence.SerializeAsString());
        }
        return reply;
      }
      executing_.set_value();
      leave_.get_future().wait();
      return reply;
    });
  }
  grpc::Status Halt(grpc::ServerContext*, const v1::ActuatorHaltRequest* request, v1::ActuatorHaltReply*) override {
    halted_ = request->reason();
    return grpc::Status::OK;
  }
  grpc::Status Pause(grpc::ServerContext*, const v1::ActuatorPauseRequest* request, v1::ActuatorPauseReply*) override {
    pause_.set_reason(request->reason());
    return grpc::Status::OK;
  }
  grpc::Status Heartbeat(grpc::ServerContext*, const v1::HeartbeatRequest*, v1::HeartbeatReply* reply) override {
    *reply->mutable_pause() = pause_;
    return grpc::Status::OK;
  }
  const identity::KnownPeers peers_{{}};
  std::promise<void> executing_;
  std::promise<void> leave_;
  std::string halted_;
  v1::Pause pause_;
};

TEST(ActuatorClient, CallsTheActuatorAndStopsItsCalls) {
  const da::test::Deployment deployment;
  const da::test::TempDir dir;
  const std::string address = "unix:" + (dir.path() / "a.sock").string();
  Service service;
  const auto server = rpc::Server::listen(address, {&service}, deployment.of(Role::kActuator));
  ASSERT_TRUE(server);
  const rpc::Channel channel(Role::kActuator, address, deployment.of(Role::kPolicy));
  const auto actuator = connect_actuator(channel, channel);
  v1::PrepareRequest prepare;
  prepare.set_step_id("s1");
  EXPECT_EQ(actuator->prepare(prepare, kCallTimeout, {})->evidence.challenge(), "s1");
  prepare.set_step_id("mixed up");
  EXPECT_EQ(actuator->prepare(prepare, kCallTimeout, {}).error().code, Code::kInternal);
  ASSERT_TRUE(actuator->halt("smoke"));
  EXPECT_EQ(service.halted_, "smoke");
  ASSERT_TRUE(actuator->pause("lunch"));
  EXPECT_EQ(actuator->heartbeat({}, {})->pause().reason(), "lunch");
  EXPECT_EQ(actuator->resume().error().code, Code::kUnimplemented);

  std::stop_source stop;
  auto outcome = std::async(std::launch::async, [&] { return actuator->execute({}, kCallTimeout, stop.get_token()); });
  service.executing_.get_future().wait();
  stop.request_stop();
  EXPECT_EQ(outcome.get().error().code, Code::kCancelled);
  service.leave_.set_value();
}

// A heartbeat that was sent before the actuator served made the first step fail at once.
TEST(ActuatorClient, EarlyHeartbeatDoesNotFailTheFirstStep) {
  const da::test::Deployment deployment;
  const da::test::TempDir dir;
  const std::string address = "unix:" + (dir.path() / "a.sock").string();
  const auto channel = [&] { return rpc::Channel(Role::kActuator, address, deployment.of(Role::kPolicy)); };
  const auto actuator = connect_actuator(channel(), channel());
  EXPECT_FALSE(actuator->heartbeat({}, {}));
  Service service;
  const auto server = rpc::Server::listen(address, {&service}, deployment.of(Role::kActuator));
  ASSERT_TRUE(server);
  EXPECT_TRUE(actuator->prepare({}, kCallTimeout, {}));
}

TEST(ActuatorClient, MissingActuatorIsNamedInTheError) {
  const da::test::Deployment deployment;
  const da::test::TempDir dir;
  const rpc::Channel channel(Role::kActuator, "unix:" + (dir.path() / "none").string(), deployment.of(Role::kPolicy));
  const auto actuator = connect_actuator(channel, channel);
  const auto evidence = actuator->prepare({}, kCallTimeout, {});
  ASSERT_FALSE(evidence);
  EXPECT_EQ(evidence.error().code, Code::kUnavailable);
  EXPECT_THAT(evidence.error().message, HasSubstr("da-actuator"));
}

}  // namespace
}  // namespace da::policy
