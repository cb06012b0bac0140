#include "lib/rpc/call_watch.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <future>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "tests/addresses.h"
#include "tests/temp_dir.h"

namespace da::rpc {
namespace {

// Writes until it cannot.
class EndlessWriter final : public v1::Actuator::Service {
 public:
  explicit EndlessWriter(std::optional<std::chrono::milliseconds> limit) : limit_(limit) {}
  std::future<void> ended() { return ended_.get_future(); }

 private:
  grpc::Status Frames(grpc::ServerContext* context, const v1::FramesRequest*,
                      grpc::ServerWriter<v1::FrameChunk>* writer) override {
    {
      const CallWatch::Scope scope(watch_, *context, limit_);
      v1::FrameChunk chunk;
      chunk.set_pixels(std::string(256 << 10, 'x'));
      while (writer->Write(chunk)) {
      }
    }
    ended_.set_value();
    return grpc::Status::OK;
  }

  const std::optional<std::chrono::milliseconds> limit_;
  std::promise<void> ended_;
  CallWatch watch_;
};

// Reads nothing.
struct StalledCall {
  explicit StalledCall(EndlessWriter& writer) {
    const std::string address = test::rpc_address(directory.path(), "watch");
    const std::string scheme = "ipv4:";
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address.starts_with(scheme) ? address.substr(scheme.size()) : address,
                             grpc::InsecureServerCredentials());
    builder.RegisterService(&writer);
    server = builder.BuildAndStart();
    stub = v1::Actuator::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
    reader = stub->Frames(&context, v1::FramesRequest());
  }
  ~StalledCall() { context.TryCancel(); }

  const test::TempDir directory;
  std::unique_ptr<grpc::Server> server;
  std::unique_ptr<v1::Actuator::Stub> stub;
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReader<v1::FrameChunk>> reader;
};

TEST(CallWatch, CancelsACallAfterItsLimit) {
  EndlessWriter writer(std::chrono::milliseconds(100));
  auto ended = writer.ended();
  const StalledCall call(writer);
  EXPECT_EQ(ended.wait_for(std::chrono::seconds(30)), std::future_status::ready);
}

TEST(CallWatch, LetsACallWithoutALimitWait) {
  EndlessWriter writer(std::nullopt);
  auto ended = writer.ended();
  {
    const StalledCall call(writer);
    EXPECT_EQ(ended.wait_for(std::chrono::milliseconds(300)), std::future_status::timeout);
  }
  EXPECT_EQ(ended.wait_for(std::chrono::seconds(30)), std::future_status::ready);
}

}  // namespace
}  // namespace da::rpc
