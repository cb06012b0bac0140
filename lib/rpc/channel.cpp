#include "lib/rpc/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include "lib/rpc/tls.h"

namespace da::rpc {

Channel::Channel(identity::Role server, std::string address, const identity::Credentials& credentials)
    : Channel("da-" + std::string(to_string(server)), std::move(address), tls_to(server, credentials),
              identity::dns_name(server)) {}

Channel::Channel(std::string peer, std::string address, const std::shared_ptr<grpc::ChannelCredentials>& credentials,
                 const std::string& server_name)
    : peer_(std::move(peer)), address_(std::move(address)) {
  grpc::ChannelArguments arguments;
  // A peer that restarts is found again within a quarter of a second.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  // This one is also how long one attempt to connect may take; a refused one fails at once all the same.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 2000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 250);
  // A peer that hangs is noticed while a call is under way, long before that call's own deadline.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 1000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 1000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  if (!server_name.empty()) arguments.SetSslTargetNameOverride(server_name);
  channel_ = grpc::CreateCustomChannel(address_, credentials, arguments);
}

}  // namespace da::rpc
