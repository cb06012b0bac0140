#include "lib/rpc/server.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>

namespace da::rpc {
namespace {

constexpr std::chrono::milliseconds kStopGrace{200};
// The largest message of the contract is a UI tree; frames travel in chunks of 1 MiB.
constexpr int kMaxMessageBytes = 8 << 20;

}  // namespace

Result<std::unique_ptr<Server>> Server::listen(const std::string& address,
                                               const std::vector<grpc::Service*>& services) {
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 500);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  // A thread waits in each of few queues; a blocked handler takes a thread of its own.
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 2);
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return Error{Code::kUnavailable, "cannot listen at " + address + ": is another service there?"};
  return std::unique_ptr<Server>(new Server(std::move(server)));
}

Server::Server(std::unique_ptr<grpc::Server> server) : server_(std::move(server)) {}

Server::~Server() { stop(); }

void Server::stop() { server_->Shutdown(std::chrono::system_clock::now() + kStopGrace); }

}  // namespace da::rpc
