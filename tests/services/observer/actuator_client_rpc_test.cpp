#include "services/observer/actuator_client_rpc.h"

#include <gmock/gmock.h>
#include <grpcpp/server_context.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/base/id.h"
#include "lib/rpc/server.h"
#include "lib/rpc/status.h"
#include "services/observer/frames/frame_cache.h"
#include "tests/deployment.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

using identity::Role;

using testing::HasSubstr;

// Serves the fake desktop with a real gRPC server.
class FakeActuator final : public v1::Actuator::Service {
 public:
  explicit FakeActuator(FakeSource& source) : source_(source) {}

  grpc::Status Frames(grpc::ServerContext*, const v1::FramesRequest* request,
                      grpc::ServerWriter<v1::FrameChunk>* writer) override {
    const auto sent = source_.frames(*request, [&](const v1::FrameChunk& chunk) -> Result<void> {
      if (!writer->Write(chunk)) return Error{Code::kCancelled, "the reader went away"};
      return ok();
    });
    return sent ? grpc::Status::OK : rpc::to_status(sent.error());
  }
  grpc::Status ReadUiTree(grpc::ServerContext*, const v1::UiTreeRequest* request, v1::UiTree* reply) override {
    return rpc::answer(source_.read_ui_tree(*request), reply);
  }
  grpc::Status ReadElement(grpc::ServerContext*, const v1::ElementRequest* request, v1::UiNode* reply) override {
    return rpc::answer(source_.read_element(*request), reply);
  }
  grpc::Status ReadTextPlaces(grpc::ServerContext*, const v1::TextPlacesRequest* request,
                              v1::TextPlacesReply* reply) override {
    return rpc::answer(source_.read_text_places(*request), reply);
  }

 private:
  FakeSource& source_;
};

class ActuatorClientRpcTest : public testing::Test {
 protected:
  void SetUp() override {
    address_ = "unix:" + (std::filesystem::temp_directory_path() / ("observer-" + random_hex(6) + ".sock")).string();
    serve();
  }
  void serve() {
    auto server = rpc::Server::listen(address_, {&actuator_}, deployment_.of(Role::kActuator));
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
  }

  const da::test::Deployment deployment_;
  ManualClock clock_;
  FakeSource source_{{0, 0, 1000, 700}, clock_};
  FakeActuator actuator_{source_};
  std::string address_;
  std::unique_ptr<rpc::Server> server_;
};

TEST_F(ActuatorClientRpcTest, FrameOfManyMessagesArrivesWhole) {
  source_.fill({100, 100, 300, 300}, 123);
  ActuatorClientRpc client(rpc::Channel(Role::kActuator, address_, deployment_.of(Role::kObserver)));
  FrameCache frames(client);
  const auto refreshed = frames.refresh({});
  ASSERT_TRUE(refreshed) << refreshed.error().message;
  EXPECT_TRUE(std::equal(source_.pixels.begin(), source_.pixels.end(), frames.store().pixels().data));
  *source_.tree.add_nodes() = element("label", "Hello", {1, 2, 3, 4});
  EXPECT_EQ(frames.read_ui_tree()->nodes_size(), 1);
}

TEST_F(ActuatorClientRpcTest, ErrorNamesTheDeadActuator) {
  server_.reset();
  ActuatorClientRpc client(rpc::Channel(Role::kActuator, address_, deployment_.of(Role::kObserver)));
  FrameCache frames(client);
  const auto refreshed = frames.refresh({});
  ASSERT_FALSE(refreshed);
  EXPECT_EQ(refreshed.error().code, Code::kUnavailable);
  EXPECT_THAT(refreshed.error().message, HasSubstr("da-actuator"));
}

TEST_F(ActuatorClientRpcTest, RefusedFrameEndsTheStreamAndIsRequestedAgain) {
  int broken = 1;
  source_.tamper = [&](v1::FrameChunk& chunk) {
    if (broken-- > 0) chunk.set_pixels("junk");
  };
  ActuatorClientRpc client(rpc::Channel(Role::kActuator, address_, deployment_.of(Role::kObserver)));
  FrameCache frames(client);
  EXPECT_TRUE(frames.refresh({}));
  EXPECT_EQ(source_.requests.size(), 2u);
}

TEST_F(ActuatorClientRpcTest, CancelledClientRefusesFurtherCalls) {
  ActuatorClientRpc client(rpc::Channel(Role::kActuator, address_, deployment_.of(Role::kObserver)));
  client.cancel();
  FrameCache frames(client);
  EXPECT_EQ(frames.refresh({}).error().code, Code::kCancelled);
}

}  // namespace
}  // namespace da::observer
