// Streams to a reader that is slower than the writer, so that the writer's socket is full most of the time. Regression:
// under Wine, gRPC 1.51 lost bytes after a short send (deploy/windows/patches), so content was wrong or TLS reported a
// bad record.
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <thread>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/base/clock.h"
#include "lib/rpc/channel.h"
#include "lib/rpc/server.h"
#include "tests/addresses.h"
#include "tests/deployment.h"
#include "tests/temp_dir.h"

namespace da::rpc {
namespace {

using identity::Role;

constexpr int kMessages = 100;
constexpr std::size_t kMessageBytes = 256 << 10;

// The long run sets DA_TRIES to more.
int rounds() {
  const char* const wanted = std::getenv("DA_TRIES");
  return wanted != nullptr ? std::atoi(wanted) : 3;
}

// Differs between messages and within one.
std::string content_of(int number) {
  std::string bytes(kMessageBytes, '\0');
  std::uint32_t state = static_cast<std::uint32_t>(number) * 2'654'435'761U + 1;
  for (char& byte : bytes) {
    state = state * 1'664'525U + 1'013'904'223U;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

class FastWriter final : public v1::Actuator::Service {
  grpc::Status Frames(grpc::ServerContext*, const v1::FramesRequest*,
                      grpc::ServerWriter<v1::FrameChunk>* writer) override {
    for (int i = 0; i < kMessages; ++i) {
      v1::FrameChunk chunk;
      chunk.set_pixels(content_of(i));
      if (!writer->Write(chunk)) return {grpc::StatusCode::ABORTED, "the reader is gone"};
    }
    return grpc::Status::OK;
  }
};

class SlowReaderTest : public testing::Test {
 protected:
  // Prints how long the rounds took.
  static void expect_whole_streams(const std::function<std::shared_ptr<grpc::Channel>()>& connect) {
    for (int round = 1; round <= rounds(); ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      const MonoTime begun = system_clock().now();
      expect_whole_stream(connect());
      if (HasFailure()) return;
      const auto took = std::chrono::duration_cast<Milliseconds>(system_clock().now() - begun);
      std::cout << "round " << round << ": " << kMessages * kMessageBytes << " bytes in " << took.count() << " ms\n";
    }
  }
  static void expect_whole_stream(const std::shared_ptr<grpc::Channel>& channel) {
    const auto stub = v1::Actuator::NewStub(channel);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(50));
    const auto reader = stub->Frames(&context, v1::FramesRequest());
    int received = 0;
    for (v1::FrameChunk chunk; reader->Read(&chunk); ++received) {
      ASSERT_TRUE(chunk.pixels() == content_of(received)) << "message " << received;
      // Slowness is what this tests: the pause lets the writer fill all buffers.
      std::this_thread::sleep_for(std::chrono::milliseconds(received % 10 == 0 ? 40 : 2));
    }
    const grpc::Status status = reader->Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(received, kMessages);
  }

  FastWriter writer_;
  const test::TempDir directory_;
  const std::string address_ = test::rpc_address(directory_.path(), "slow");
};

TEST_F(SlowReaderTest, GetsEveryByteWithoutTls) {
  grpc::ServerBuilder builder;
  const std::string scheme = "ipv4:";
  const bool tcp = address_.starts_with(scheme);
  builder.AddListeningPort(tcp ? address_.substr(scheme.size()) : address_, grpc::InsecureServerCredentials());
  builder.RegisterService(&writer_);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  ASSERT_TRUE(server);
  expect_whole_streams([&] { return grpc::CreateChannel(address_, grpc::InsecureChannelCredentials()); });
}

TEST_F(SlowReaderTest, GetsEveryByteWithMutualTls) {
  const test::Deployment deployment;
  const auto server = Server::listen(address_, {&writer_}, deployment.of(Role::kActuator));
  ASSERT_TRUE(server) << server.error().message;
  expect_whole_streams([&] { return Channel(Role::kActuator, address_, deployment.of(Role::kObserver)).grpc(); });
}

}  // namespace
}  // namespace da::rpc
