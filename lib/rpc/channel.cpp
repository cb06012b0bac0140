#include "lib/rpc/channel.h"

#include <grpcpp/channel.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <chrono>
#include <climits>

#include "lib/rpc/tls.h"

namespace da::rpc {
namespace {

// Maximum duration of one attempt to connect.
constexpr int kAttemptMs = 2000;
// How long to wait after a failed attempt. On a network, an attempt to an absent peer may have to time out first.
constexpr std::chrono::milliseconds kNextAttemptHere{400};
constexpr std::chrono::milliseconds kNextAttempt{kAttemptMs + 1000};
constexpr int kLongestPauseMs = 250;
// How long a peer may hang before a connection that cannot be made again is given up.
constexpr int kLostAfterMs = 10'000;
// A fact with an image of a very large desktop.
constexpr int kLargestReply = 64 << 20;

bool is_here(std::string_view address) { return address.starts_with("unix:"); }

}  // namespace

Channel::Channel(identity::Role server, std::string address, const identity::Credentials& credentials, Lost lost)
    : Channel("da-" + std::string(to_string(server)), std::move(address), tls_to(server, credentials),
              identity::dns_name(server), lost) {}

Channel::Channel(std::string peer, std::string address, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
                 const std::string& server_name, Lost lost)
    : peer_(std::move(peer)), address_(std::move(address)) {
  grpc::ChannelArguments arguments;
  // Finds a restarted peer within a quarter of a second.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  // Also the timeout of one attempt to connect; a refused one still fails at once.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kAttemptMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLongestPauseMs);
  // Detects a hanging peer during a call, long before the call's deadline. Network cuts of some seconds are tolerated.
  const bool here = is_here(address_);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, here ? 1000 : 2000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, lost == Lost::kForGood ? kLostAfterMs : here ? 1000 : 5000);
  if (lost == Lost::kForGood) arguments.SetInt(GRPC_ARG_CLIENT_IDLE_TIMEOUT_MS, INT_MAX);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetMaxReceiveMessageSize(kLargestReply);
  if (!server_name.empty()) arguments.SetSslTargetNameOverride(server_name);
  channel_ = grpc::CreateCustomChannel(address_, credentials, arguments);
}

bool Channel::connect() const {
  if (channel_->GetState(true) == GRPC_CHANNEL_READY) return true;
  return channel_->WaitForConnected(std::chrono::system_clock::now() +
                                    (is_here(address_) ? kNextAttemptHere : kNextAttempt));
}

void Channel::get_ready() const {
  const auto state = channel_->GetState(false);
  if (state == GRPC_CHANNEL_TRANSIENT_FAILURE) connect();
  const MonoTime now = system_clock().now();
  const bool rested = now - last_call_->exchange(now) >= kRest;
  if (state == GRPC_CHANNEL_READY && rested) notice_end(kLook);
}

// gRPC reads pending data while it waits for a state change.
void Channel::notice_end(Milliseconds at_most) const {
  channel_->WaitForStateChange(GRPC_CHANNEL_READY, std::chrono::system_clock::now() + at_most);
}

}  // namespace da::rpc
