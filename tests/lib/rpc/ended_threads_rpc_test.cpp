// Calls from threads that end. Regression: Wine ends the reads and writes that a thread has begun when the thread ends,
// so connections broke after the thread of a call had ended (deploy/windows/patches).
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/rpc/server.h"
#include "tests/addresses.h"
#include "tests/temp_dir.h"

namespace da::rpc {
namespace {

constexpr int kCalls = 30;

class OneChunk final : public v1::Actuator::Service {
 public:
  std::size_t connections() {
    const std::lock_guard lock(mutex_);
    return connections_.size();
  }

 private:
  grpc::Status Frames(grpc::ServerContext* context, const v1::FramesRequest*,
                      grpc::ServerWriter<v1::FrameChunk>* writer) override {
    {
      const std::lock_guard lock(mutex_);
      connections_.insert(context->peer());
    }
    v1::FrameChunk chunk;
    chunk.set_pixels("pixels");
    writer->Write(chunk);
    return grpc::Status::OK;
  }

  std::mutex mutex_;
  std::set<std::string> connections_;  // Addresses of the clients.
};

class EndedThreadsTest : public testing::Test {
 protected:
  EndedThreadsTest() {
    grpc::ServerBuilder builder;
    const std::string scheme = "ipv4:";
    const bool tcp = address_.starts_with(scheme);
    builder.AddListeningPort(tcp ? address_.substr(scheme.size()) : address_, grpc::InsecureServerCredentials());
    // Few threads stay, so that those of most calls end.
    builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
    builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
  }

  void call(v1::Actuator::Stub& stub) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
    const auto reader = stub.Frames(&context, v1::FramesRequest());
    v1::FrameChunk chunk;
    while (reader->Read(&chunk)) {
    }
    const grpc::Status status = reader->Finish();
    if (!status.ok()) ++failed_;
  }

  std::shared_ptr<grpc::Channel> channel() { return grpc::CreateChannel(address_, grpc::InsecureChannelCredentials()); }

  const test::TempDir directory_;
  const std::string address_ = test::rpc_address(directory_.path(), "ended");
  OneChunk service_;
  std::unique_ptr<grpc::Server> server_;
  std::atomic<int> failed_ = 0;
};

TEST_F(EndedThreadsTest, OneConnectionServesThreadsThatEnd) {
  const auto stub = v1::Actuator::NewStub(channel());
  for (int i = 0; i < kCalls; ++i) std::thread([&] { call(*stub); }).join();
  EXPECT_EQ(failed_, 0);
  EXPECT_EQ(service_.connections(), 1U);
}

TEST_F(EndedThreadsTest, ConnectionsOfThreadsThatEndAreAccepted) {
  for (int i = 0; i < kCalls; ++i) {
    std::thread([&] {
      const auto stub = v1::Actuator::NewStub(channel());
      call(*stub);
    }).join();
  }
  EXPECT_EQ(failed_, 0);
}

TEST_F(EndedThreadsTest, ManyThreadsShareAConnection) {
  const auto stub = v1::Actuator::NewStub(channel());
  for (int round = 0; round < 5; ++round) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { call(*stub); });
  }
  EXPECT_EQ(failed_, 0);
  EXPECT_EQ(service_.connections(), 1U);
}

}  // namespace
}  // namespace da::rpc
