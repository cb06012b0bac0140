#include "services/recorder/lease_keeper_rpc.h"

#include <spdlog/spdlog.h>

#include "da/v1/policy_rpc.grpc.pb.h"
#include "lib/rpc/call.h"

namespace da::recorder {
namespace {

constexpr Milliseconds kTimeout{1'000};

}  // namespace

LeaseKeeperRpc::LeaseKeeperRpc(rpc::Channel policy, Write write, OnReply on_reply)
    : channel_(std::move(policy)),
      write_(std::move(write)),
      on_reply_(std::move(on_reply)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

LeaseKeeperRpc::~LeaseKeeperRpc() = default;

void LeaseKeeperRpc::renew_now() {
  const std::lock_guard hold(mutex_);
  now_ = true;
  wake_.notify_all();
}

void LeaseKeeperRpc::run(const std::stop_token& stop) {
  pthread_setname_np(pthread_self(), "lease");
  const rpc::Client<v1::Policy> policy(channel_);
  bool failed = false;
  while (!stop.stop_requested()) {
    const auto reply = policy.call("RenewRecording", &v1::Policy::Stub::RenewRecording, write_(), kTimeout, stop);
    if (!reply && !failed) spdlog::warn("the lease cannot be renewed: {}", reply.error().message);
    failed = !reply;
    if (reply) on_reply_(*reply);
    std::unique_lock hold(mutex_);
    wake_.wait_for(hold, stop, kEvery, [this] { return now_; });
    now_ = false;
  }
}

}  // namespace da::recorder
