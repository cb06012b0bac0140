// Renews the recorder's lease at the policy: every half second, and at once after renew_now(). Its own thread calls;
// the callbacks run on it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "da/v1/policy_rpc.pb.h"
#include "lib/rpc/channel.h"

namespace da::recorder {

class LeaseKeeperRpc {
 public:
  static constexpr std::chrono::milliseconds kEvery{500};

  using Write = std::function<v1::RenewRecordingRequest()>;
  // The policy's reply.
  using OnReply = std::function<void(const v1::RenewRecordingReply& reply)>;

  LeaseKeeperRpc(rpc::Channel policy, Write write, OnReply on_reply);
  ~LeaseKeeperRpc();

  void renew_now();

 private:
  void run(const std::stop_token& stop);

  const rpc::Channel channel_;
  const Write write_;
  const OnReply on_reply_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool now_ = false;
  std::jthread thread_;  // Last: it uses the other members.
};

}  // namespace da::recorder
